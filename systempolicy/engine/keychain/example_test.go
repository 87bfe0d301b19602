package keychain_test

import (
	"context"
	"fmt"

	"example.com/ambit/systempolicy/engine"
	"example.com/ambit/systempolicy/engine/keychain"
)

// A person's command looks into the environment first, and then asks the desktop's own client.
func Example() {
	tokens := engine.Tokens{Variable: "from-the-environment", Keychain: keychain.System{}}
	secret, err := tokens.Keychain.Secret(context.Background(), engine.KeychainService, "engine:ai-ops.dev.example.com")
	if err != nil {
		fmt.Println(err) // no client on this machine, or it did not answer
	}
	_ = secret // never printed
}
