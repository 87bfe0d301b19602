package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/internal/span"
	"example.com/ambit/internal/span/yamlspan"
	"example.com/ambit/systempolicy"
)

// defaultOverlay is where an environment's overlay of a component lies below the system's file: a kustomization, whose image's newTag
// is the version that is pinned.
const defaultOverlay = "applications/{system}/{component}/overlays/{environment}/kustomization.yaml"

// maxOverlay bounds a kustomization.
const maxOverlay = 1 << 20

// overlayPath gives the overlay's path below the system's file's folder.
func (c *call) overlayPath(system, component, env string) (string, error) {
	pattern, given := c.flag("overlay")
	if !given {
		pattern = defaultOverlay
	}
	for _, part := range []string{system, component, env} {
		if part == "" || !filepath.IsLocal(part) || strings.ContainsAny(part, `/\:`) {
			return "", fmt.Errorf("%q is no name of a folder, so its overlay cannot be found", part)
		}
	}
	p := strings.NewReplacer("{system}", system, "{component}", component, "{environment}", env).Replace(pattern)
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		return "", fmt.Errorf("--overlay %q leaves the folder of the system's file", pattern)
	}
	return p, nil
}

// pinOf finds the version that an overlay pins: newTag of the image that is named like the component, or of the only image.
func pinOf(overlay []byte, component string) (*yamlspan.Document, yamlspan.Found, error) {
	doc, err := yamlspan.Parse(overlay, yamlspan.Limits{Bytes: maxOverlay, Depth: systempolicy.MaxDepth, Aliases: systempolicy.MaxAliases})
	if err != nil {
		return nil, yamlspan.Found{}, err
	}
	images, ok := doc.Locate("images")
	if !ok || images.Value == nil || len(images.Value.Content) == 0 {
		return nil, yamlspan.Found{}, errors.New("the overlay pins no image")
	}
	at := -1
	for i := range images.Value.Content {
		name, ok := doc.Locate("images", i, "name")
		if ok && name.Value != nil && name.Value.Value[strings.LastIndexByte(name.Value.Value, '/')+1:] == component {
			if at >= 0 {
				return nil, yamlspan.Found{}, fmt.Errorf("the overlay has two images named %s", component)
			}
			at = i
		}
	}
	if at < 0 && len(images.Value.Content) == 1 {
		at = 0
	}
	if at < 0 {
		return nil, yamlspan.Found{}, fmt.Errorf("the overlay has several images, and none is named %s", component)
	}
	tag, ok := doc.Locate("images", at, "newTag")
	if !ok || tag.Value == nil || tag.Value.Value == "" {
		return nil, yamlspan.Found{}, errors.New("the overlay's image has no newTag")
	}
	return doc, tag, nil
}

// repin gives the overlay with another version pinned, and no other byte changed.
func repin(overlay []byte, component, version string) ([]byte, error) {
	doc, tag, err := pinOf(overlay, component)
	if err != nil {
		return nil, err
	}
	splices, err := doc.Replace(tag, fmt.Sprintf("%q", version))
	if err != nil {
		return nil, err
	}
	out, err := span.Apply(overlay, splices...)
	if err != nil {
		return nil, err
	}
	_, after, err := pinOf(out, component)
	if err == nil && after.Value.Value != version {
		err = errors.New("the edited overlay does not pin what was asked for")
	}
	return out, err
}

// pins reads what an overlay pins on main, and every version that it pinned before, by git history. // U7
func (r *repo) pins(ctx context.Context, path, component string) (systempolicy.Pins, error) {
	var pins systempolicy.Pins
	versions, err := r.git.History(ctx, r.commit, path)
	if err != nil {
		return pins, err
	}
	if _, tag, err := pinOf(r.read(ctx, path), component); err == nil {
		pins.Current = tag.Value.Value
	}
	for _, v := range versions {
		if _, tag, err := pinOf(v, component); err == nil && !slices.Contains(pins.Before, tag.Value.Value) {
			pins.Before = append(pins.Before, tag.Value.Value)
		}
	}
	return pins, nil
}
