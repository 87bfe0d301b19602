package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary stand in for the command inside scripts.
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"ambit": exit}) }

// TestScripts runs testdata/script: "status N COMMAND" runs a command and asserts its exact exit code.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		UpdateScripts: os.Getenv("AMBIT_UPDATE") == "1",
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"status": cmdStatus},
		Setup: func(env *testscript.Env) error {
			env.Setenv("AMBIT_SOURCE", repositoryRoot(t))
			return nil
		},
	})
}

// cmdStatus is "status N PROGRAM ARGS": exec, with the exact exit code asserted (testscript itself knows only "failed").
func cmdStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		code, ok := err.(interface{ ExitCode() int })
		if !ok {
			ts.Fatalf("%s did not run: %v", args[1], err)
		}
		got = code.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s: exit %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

func repositoryRoot(t testing.TB) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.ReplaceAll(wd, `\`, "/"), "/cmd/ambit")
}

// run calls Main in process and gives its exit code and outputs. env is added to an otherwise empty environment.
func run(t testing.TB, stdin string, env []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(args, strings.NewReader(stdin), &out, &errs, env)
	return code, out.String(), errs.String()
}
