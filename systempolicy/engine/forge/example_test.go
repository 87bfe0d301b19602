package forge_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"example.com/ambit/internal/fakehub"
	"example.com/ambit/systempolicy/engine/forge"
)

func ExampleApprove() {
	hub := &fakehub.Server{Token: "t", Pulls: []*fakehub.Pull{{Number: 1, State: "open", SHA: "9a8b7c6"}},
		Checks: []fakehub.Check{{Name: "ci", State: "completed", Conclusion: "failure"}}}
	server := httptest.NewServer(hub)
	defer server.Close()
	repo, number, err := forge.ParsePull("acme/shop#1")
	if err != nil {
		panic(err)
	}
	github := forge.GitHub{API: server.URL, Token: "t"}
	_, err = forge.Approve(context.Background(), github, repo, number, 0)
	fmt.Println(err)

	hub.Checks[0].Conclusion = "success"
	p, err := forge.Approve(context.Background(), github, repo, number, 0)
	fmt.Println(p.Merged, err)
	// Output:
	// acme/shop#1: failed: ci (failure)
	// true <nil>
}

func ExampleRepoOf() {
	host, repo, err := forge.RepoOf("git@github.com:acme/shop.git")
	fmt.Println(host, repo, err)
	// Output: github.com acme/shop <nil>
}
