package engine_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestLinked: an importer of the engine pays for HTTP; only one who opens a store pays for its database, and nothing but the command
// links the keychain.
func TestLinked(t *testing.T) {
	for pkg, want := range map[string][]string{
		".": {"gopkg.in"}, "./forge": nil, "./keychain": nil, "./sqlstore": {"gopkg.in"},
		"./sqlstore/sqlite":   {"github.com", "golang.org", "gopkg.in", "modernc.org"},
		"./sqlstore/postgres": {"github.com", "golang.org", "gopkg.in"},
	} {
		out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		var hosts []string
		for _, m := range strings.Fields(string(out)) {
			if host, _, _ := strings.Cut(m, "/"); !slices.Contains(hosts, host) {
				hosts = append(hosts, host)
			}
		}
		slices.Sort(hosts)
		if !slices.Equal(hosts, want) {
			t.Errorf("%s links modules of %v, want %v", pkg, hosts, want)
		}
	}
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, heavy := range []string{"os/exec", "database/sql", "flag"} {
		if slices.Contains(strings.Fields(string(out)), heavy) {
			t.Errorf("the engine imports %s", heavy)
		}
	}
}
