// Package keychain answers: what secret did a person put into this machine's keychain? It asks the desktop's own client:
// secret-tool (the Secret Service) on Linux and the BSDs, security on macOS.
package keychain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// ErrUnsupported means that this machine has no keychain client that is known here.
var ErrUnsupported = errors.New("no keychain client on this machine")

// System is the operating system's keychain. The zero value works.
type System struct {
	OS       string                               // "" is runtime.GOOS
	LookPath func(program string) (string, error) // nil is exec.LookPath
	Env      []string                             // nil is the environment of this process
	Deadline time.Duration                        // 0 is 10 s: a locked keychain may ask the person
}

// maxSecret bounds what a client may print.
const maxSecret = 64 << 10

// Secret gives the secret of an account; "" when the keychain has none.
func (k System) Secret(ctx context.Context, service, account string) (string, error) {
	goos := k.OS
	if goos == "" {
		goos = runtime.GOOS
	}
	if strings.HasPrefix(account, "-") || strings.ContainsAny(service+account, "\x00\n") {
		return "", fmt.Errorf("keychain account %q cannot be asked for", account)
	}
	switch goos {
	case "darwin":
		return k.ask(ctx, "security", 44, "find-generic-password", "-s", service, "-a", account, "-w")
	case "windows", "plan9", "js", "wasip1":
		return "", ErrUnsupported
	}
	// Clients disagree on what the account's attribute is called.
	secret, err := k.ask(ctx, "secret-tool", 1, "lookup", "service", service, "account", account)
	if err == nil && secret == "" {
		secret, err = k.ask(ctx, "secret-tool", 1, "lookup", "service", service, "username", account)
	}
	return secret, err
}

// ask runs the client. Its exit code none means that there is no such secret. Nothing that it prints gets into an error.
func (k System) ask(ctx context.Context, program string, none int, args ...string) (string, error) {
	look := k.LookPath
	if look == nil {
		look = exec.LookPath
	}
	path, err := look(program)
	if err != nil {
		return "", ErrUnsupported
	}
	deadline := k.Deadline
	if deadline == 0 {
		deadline = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	cmd.Env = k.Env
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s: %w", program, ctx.Err())
	case errors.As(err, &exit) && exit.ExitCode() == none && len(bytes.TrimSpace(out)) == 0:
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%s did not answer: %w", program, plain(err))
	case len(out) > maxSecret:
		return "", fmt.Errorf("%s: more than %d bytes", program, maxSecret)
	}
	return strings.TrimRight(string(out), "\r\n"), nil
}

// plain is the error without what the program said.
func plain(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("exit code %d", exit.ExitCode())
	}
	return err
}
