package main

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ambit/campaign"
)

// skippedFolders are never looked into; neither are those with a leading dot.
var skippedFolders = []string{"node_modules", "testdata", "vendor"}

// Bounds of the search for documents that may lie anywhere.
const (
	maxSearched    = 20_000 // entries of folders
	maxSearchDepth = 8
)

// turnName is the plainest name of a stored turn envelope.
const turnName = "turn-envelope.json"

// search is what a walk below the root came across.
type search struct {
	campaigns map[string]int    // by folder: 2 or more is a campaign
	nearly    map[string]string // files with almost the name of a document, and the one that was meant
	turns     []string
	records   []string
}

// scattered looks for campaigns, their records and turn envelopes. Links are not followed.
func (d *doctor) scattered() {
	s := search{campaigns: map[string]int{}, nearly: map[string]string{}}
	seen := 0
	err := filepath.WalkDir(d.folder, func(p string, e fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(d.folder, p)
		if relErr != nil || rel == "." {
			return nil
		}
		if err != nil {
			d.add(severityNote, "not_searched", filepath.ToSlash(rel), 0, "it cannot be listed, so nothing in it was looked at", "chmod u+rX "+shellWord(filepath.ToSlash(rel)))
			return nil
		}
		if seen++; seen > maxSearched {
			return fs.SkipAll
		}
		rel = filepath.ToSlash(rel)
		if e.IsDir() && (strings.HasPrefix(e.Name(), ".") || slices.Contains(skippedFolders, e.Name()) || strings.Count(rel, "/") >= maxSearchDepth) {
			return fs.SkipDir
		}
		if !e.IsDir() || e.Name() == turnName || e.Name() == campaign.PolicyFile {
			s.note(rel, e.Name())
		}
		return nil
	})
	d.faults(".", "unreadable", err, "")
	if seen > maxSearched {
		d.add(severityNote, "search_bounded", ".", 0, fmt.Sprintf("only the first %d files were looked at for campaigns and turn envelopes", maxSearched), "ambit doctor --root FOLDER, for a part")
	}
	var inputs []string
	for _, folder := range sortedKeys(s.campaigns) {
		if s.campaigns[folder] >= 2 {
			d.campaign(folder)
			inputs = append(inputs, folder)
		}
	}
	for _, file := range s.records {
		d.record(file, inputs)
	}
	for _, file := range s.turns {
		d.turn(file)
	}
	for _, file := range sortedKeys(s.nearly) {
		right := s.nearly[file]
		if slices.Contains(inputs, path.Dir(file)) || right == turnName && d.holds(file, "loopx_turn_envelope") {
			d.misnamed(file, path.Join(path.Dir(file), right))
		}
	}
}

// note sorts one file by its name.
func (s *search) note(file, name string) {
	switch {
	case name == campaign.PolicyFile:
		s.campaigns[path.Dir(file)] += 2
	case name == campaign.GapsFile, name == campaign.LedgerFile, name == campaign.ProtocolFile:
		s.campaigns[path.Dir(file)]++
	case name == campaign.ResultFile:
		s.records = append(s.records, file)
	case name == turnName, strings.HasSuffix(name, ".turn-envelope.json"), strings.HasSuffix(name, ".turn.json"):
		s.turns = append(s.turns, file)
	default:
		if right := nearName(name, []string{campaign.PolicyFile, campaign.GapsFile, campaign.LedgerFile, campaign.ProtocolFile, turnName}); right != "" {
			s.nearly[file] = right
		}
	}
}
