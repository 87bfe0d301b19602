package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ambit/systempolicy"
	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/forge"
	"example.com/ambit/systempolicy/engine/keychain"
	"example.com/ambit/systempolicy/engine/sqlstore/postgres"
	"example.com/ambit/systempolicy/engine/sqlstore/sqlite"
)

// systemNetFlags are the flags of the commands that also work over the network.
func systemNetFlags() []flagDef {
	return []flagDef{
		{name: "deadline", value: "SPAN", about: "how long to wait for engines, git and the forge, each (default 10s)"},
		{name: "store", value: "PATH|URL", about: "the engine's run store: a SQLite file or a postgres:// URL (default AMBIT_STORE)"},
		{name: "forge-api", value: "URL", about: "the forge's REST API (default AMBIT_FORGE_API, else https://api.github.com for a remote there)"},
		{name: "remote", value: "NAME", about: "the git remote (default origin)"},
		{name: "base", value: "BRANCH", about: "the branch that is merged into (default main)"},
	}
}

// systemNetCommands are the commands that only work over the network.
func systemNetCommands() []command {
	return []command{
		{
			name: "system undo", operands: "EVENT", min: 1, max: 1, about: "take back one action of an engine: pin the version before it again",
			detail: "Allowed once, inside the environment's undo window, for an action at level act, to a version that the overlay pinned before.\n" +
				"Without --pr only the overlay's file changes. With --pr the undo is claimed in the run store and its pull request opened.",
			example: "ambit system undo ev-1 --store runs.db --dry-run",
			flags: append([]flagDef{flagSystem, flagDryRun, flagPR,
				{name: "overlay", value: "PATTERN", about: "where an overlay pins its image (default " + defaultOverlay + ")"}}, systemNetFlags()...),
			run: systemUndo,
		},
		{
			name: "system approve", operands: "OWNER/REPO#N", min: 1, max: 1, about: "approve an engine's pull request, and merge it once every check passed",
			detail: "Waits until --deadline for checks that are not done. Nothing is approved before every check has passed, and only the head\n" +
				"that they ran on is merged. The token is GH_TOKEN or GITHUB_TOKEN.",
			example: "ambit system approve acme/shop#12 --deadline 5m",
			flags:   systemNetFlags()[:3], run: systemApprove,
		},
	}
}

// deadline is how long one kind of network work may take.
func (c *call) deadline() (time.Duration, error) {
	text, given := c.flag("deadline")
	if !given {
		return engine.DefaultDeadline, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 || d > time.Hour {
		return 0, fmt.Errorf("--deadline %q is not a time such as 10s or 2m, at most 1h", text)
	}
	return d, nil
}

// environ is the environment that programs are started with, without the engine's token.
func (c *call) environ() []string {
	var env []string
	for k, v := range c.env {
		if k != engine.TokenVariable {
			env = append(env, k+"="+v)
		}
	}
	slices.Sort(env)
	return env
}

// lookPath finds a program by this call's PATH, absolute folders only.
func (c *call) lookPath(program string) (string, error) {
	for _, dir := range filepath.SplitList(c.env["PATH"]) {
		for _, suffix := range []string{"", ".exe"} {
			path := filepath.Join(dir, program+suffix)
			if info, err := os.Stat(path); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && (suffix != "" || info.Mode()&0o111 != 0) {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("%s: %w", program, fs.ErrNotExist)
}

func (c *call) client(deadline time.Duration) engine.Client {
	return engine.Client{Deadline: deadline, Tokens: engine.Tokens{Variable: c.env[engine.TokenVariable],
		Keychain: keychain.System{LookPath: c.lookPath, Env: c.environ()}}}
}

// openStore opens the run store that is there; nil where none is named. It never makes one: an empty store would say that nothing
// was done.
func (c *call) openStore(ctx context.Context) (engine.Store, error) {
	place, given := c.flag("store")
	if !given {
		place = c.env["AMBIT_STORE"]
	}
	switch {
	case place == "":
		return nil, nil
	case strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://"):
		return storeOr(postgres.Open(ctx, place))
	}
	if info, err := os.Stat(place); err != nil {
		return nil, fmt.Errorf("run store: %w", err)
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("run store: %s is no file", place)
	}
	return storeOr(sqlite.Open(ctx, place))
}

// storeOr gives no store beside an error: a nil pointer in an interface would be taken for one.
func storeOr[S engine.Store](s S, err error) (engine.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// forgeClient gives the client of the forge that host belongs to. The token goes nowhere in clear, and to no host that was not chosen.
func (c *call) forgeClient(host string) (forge.GitHub, error) {
	api, given := c.flag("forge-api")
	if !given {
		api = c.env["AMBIT_FORGE_API"]
	}
	if api == "" && host == "github.com" {
		api = "https://api.github.com"
	}
	if api == "" {
		return forge.GitHub{}, errors.New("the remote is not at github.com, so its forge's API must be named, with --forge-api https://HOST/api/v3")
	}
	u, err := url.Parse(api)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback(u.Hostname())) {
		return forge.GitHub{}, errors.New("the forge's API is no https:// URL (http:// on the loopback)")
	}
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
		if token := c.env[name]; token != "" {
			return forge.GitHub{API: api, Token: token}, nil
		}
	}
	return forge.GitHub{}, hinted{errors.New("no forge token"), "set GH_TOKEN or GITHUB_TOKEN"}
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// enginesOf gives the engine of every environment; one whose address cannot be used has none.
func enginesOf(sys *systempolicy.System) map[string]string {
	engines := map[string]string{}
	for env := range sys.Environments() {
		u := sys.Policy(env).Engine()
		if _, err := systempolicy.ParseEngineURL(u); err != nil {
			u = ""
		}
		engines[env] = u
	}
	return engines
}
