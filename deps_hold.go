//go:build hold

package ambit

import (
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/landlock-lsm/go-landlock/landlock"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/tailscale/hujson"
	_ "github.com/xeipuuv/gojsonschema"
	_ "golang.org/x/term"
	_ "gopkg.in/yaml.v3"
	_ "modernc.org/sqlite"
	_ "mvdan.cc/sh/v3/syntax"
	_ "pgregory.net/rapid"
)
