package forge_test

import (
	"fmt"

	"example.com/ambit/systempolicy/engine/forge"
)

func ExampleParsePull() {
	repo, number, err := forge.ParsePull("acme/shop#12")
	fmt.Println(repo, number, err)
	_, err = forge.ParseRepo("acme")
	fmt.Println(err)
	// Output:
	// acme/shop 12 <nil>
	// "acme" is not OWNER/REPO
}
