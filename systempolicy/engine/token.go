package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/ambit/systempolicy"
)

// Where an engine's token is found. // S11
const (
	TokenVariable   = "CPLAT_ENGINE_TOKEN" // the environment variable, which comes first
	KeychainService = "sdlc-foundry"       // the service under which the keychain has it; the account is EngineURL.KeychainAccount
)

// Keychain gives the secret of an account; "" when there is none. The package keychain has the operating system's.
type Keychain interface {
	// Secret gives what is kept under a service and an account; "" and no error when nothing is.
	Secret(ctx context.Context, service, account string) (string, error)
}

// ErrNoToken means that there is no token for an engine, so that nothing was sent to it.
var ErrNoToken = errors.New("no engine token")

// Tokens finds the tokens of engines: the environment variable, else the keychain. The zero value finds none.
type Tokens struct {
	Variable string   // the value of CPLAT_ENGINE_TOKEN; empty is none
	Keychain Keychain // nil is none
}

// Token gives the token for an engine. Every error is an ErrNoToken, and names neither a token nor a part of one.
func (t Tokens) Token(ctx context.Context, e systempolicy.EngineURL) (string, error) {
	token, from := t.Variable, TokenVariable
	if token == "" && t.Keychain != nil {
		var err error
		from = "the keychain's " + e.KeychainAccount()
		if token, err = t.Keychain.Secret(ctx, KeychainService, e.KeychainAccount()); err != nil {
			return "", fmt.Errorf("%w: %w", ErrNoToken, err)
		}
	}
	switch {
	case token == "":
		return "", ErrNoToken
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return "", fmt.Errorf("%w: %s holds characters that no token has", ErrNoToken, from)
	}
	return token, nil
}
