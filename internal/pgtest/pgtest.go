//go:build unix

// Package pgtest starts a PostgreSQL server of this machine's own package for a test, as an unprivileged user.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNone means that PostgreSQL is not installed here.
var ErrNone = errors.New("no initdb on this machine; install postgresql to run the tests that need it")

// Require is for tests: with AMBIT_NEED_POSTGRES=1 the server must be there, else its absence skips.
func Require(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case errors.Is(err, ErrNone) && os.Getenv("AMBIT_NEED_POSTGRES") != "1":
		t.Skip(err)
	default:
		t.Fatal(err)
	}
}

// Start runs a fresh server on a Unix socket in a folder of its own, and gives a URL of it. stop ends it and removes the folder.
func Start() (serverURL string, stop func(), err error) {
	bin, err := binaries()
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("/tmp", "pg") // a socket's path must stay below 108 bytes
	if err != nil {
		return "", nil, err
	}
	attr, err := unprivileged(dir)
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "ambit", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
	initdb.SysProcAttr, initdb.Dir, initdb.Env = attr, dir, []string{"PATH=/usr/bin:/bin", "HOME=" + dir, "LC_ALL=C"}
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", nil, errors.Join(fmt.Errorf("initdb: %w: %s", err, out), os.RemoveAll(dir))
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	defer log.Close()
	server := exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-c", "listen_addresses=", "-c", "unix_socket_directories="+dir, "-c", "fsync=off", "-c", "max_connections=200")
	server.SysProcAttr, server.Dir, server.Env, server.Stdout, server.Stderr = attr, dir, initdb.Env, log, log
	if err := server.Start(); err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop = func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
		_ = os.RemoveAll(dir)
	}
	u := url.URL{Scheme: "postgres", User: url.User("ambit"), Path: "/postgres", RawQuery: url.Values{"host": {dir}}.Encode()}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := pgx.Connect(context.Background(), u.String())
		if err == nil {
			_ = conn.Close(context.Background())
			return u.String(), stop, nil
		}
		if time.Now().After(deadline) {
			said, _ := os.ReadFile(filepath.Join(dir, "log"))
			stop()
			return "", nil, fmt.Errorf("postgres did not start: %w: %s", err, said)
		}
	}
}

// Database makes a fresh schema in the server and gives a URL that sees nothing else. It is a hundred times cheaper than a database.
func Database(t testing.TB, serverURL string) string {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), serverURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	name := "t" + strconv.FormatInt(time.Now().UnixNano(), 36)
	if _, err := conn.Exec(context.Background(), "CREATE SCHEMA "+name); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(serverURL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String()
}

// binaries finds the folder of initdb and postgres.
func binaries() (string, error) {
	if p, err := exec.LookPath("initdb"); err == nil {
		if p, err = filepath.EvalSymlinks(p); err == nil {
			return filepath.Dir(p), nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", ErrNone
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

// unprivileged gives the folder to a user that postgres accepts: it refuses to run as root.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		if who, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.ParseUint(who.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(who.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	if err := os.Chown(dir, int(uid), int(gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}
