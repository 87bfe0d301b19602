package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/ambit/campaign"
)

func campaignCommands() []command {
	judged := []flagDef{
		{name: "out", value: "DIR", about: "the folder of the records (run writes them; negative writes nothing)"},
		{name: "bundle", about: "the input is an exported bundle"},
		{name: "builder", value: "FILE", about: "a campaign builder to run, check-only, and watch"},
		{name: "builder-root", value: "DIR", about: "the builder's working folder; the work tree around it is compared"},
		{name: "interpreter", value: "FILE", about: "what runs the builder (default: the builder itself)"},
		{name: "timeout", value: "DURATION", about: "how long the builder may run (default 45s)"},
		{name: "pass-env", value: "NAME", about: "a variable that the builder gets to see", repeat: true},
		{name: "watch", value: "PATH", about: "compare only this path of the work tree, where all of it is too much", repeat: true},
		{name: "manifest", value: "FILE", about: "the manifest of copied source modules"},
		{name: "repo-root", value: "DIR", about: "the folder in which the manifest's live sources lie"},
		{name: "forbidden-tokens", value: "FILE", about: "a policy of tokens that no input may hold"},
	}
	return []command{
		{
			name: "campaign run", operands: "INPUT", min: 1, max: 1, about: "draft proposals from coverage gaps, judge them, record it",
			detail: "Reads the four documents in INPUT (" + campaign.GapsFile + ", " + campaign.PolicyFile + ", " + campaign.LedgerFile + ",\n" +
				campaign.ProtocolFile + "), watches a builder or reads a manifest, and writes three records into --out. Nothing that is\n" +
				"drafted may act. Exit 2 means blocked: the findings say why. A builder is run as BUILDER --check --report --max-targets N\n" +
				"and prints one JSON object: kind (" + campaign.ReportKind + "), campaign_slug, candidate_target_count, source_digest\n" +
				"(small hexadecimal digits) and wrote_packet, which is null.",
			example: "ambit campaign run campaign/ --out receipts --builder b.sh --builder-root .",
			flags:   judged, run: runCampaignRun,
		},
		{
			name: "campaign negative", operands: "CASE INPUT", min: 2, max: 2, about: "spoil a campaign that passes, and see it refused",
			detail:  "The cases: " + strings.Join(campaign.NegativeCases(), ", ") + ".",
			example: "ambit campaign negative source_write_campaign_packet campaign/",
			flags:   judged, run: runCampaignNegative,
		},
		{
			name: "campaign verify", operands: "RECORD INPUT", min: 2, max: 2, about: "re-check a record against its inputs, offline",
			detail:  "RECORD is a record's file, or the folder that campaign run wrote it into. Exit 2 when it is not what the inputs give.",
			example: "ambit campaign verify receipts campaign/",
			flags:   judged[8:], run: runCampaignVerify,
		},
		{
			name: "campaign show", operands: "RECORD", min: 1, max: 1, about: "a record as tables, or as a picture of its gates",
			detail:  "RECORD is a record's file, or the folder that campaign run wrote it into.",
			example: "ambit campaign show receipts --format mermaid",
			flags:   []flagDef{{name: "format", value: "text|mermaid|json", about: "how to show it (default text)", oneOf: []string{"text", "mermaid", "json"}}},
			run:     runCampaignShow,
		},
	}
}

// campaignConfig gives what the flags say; ok is false when they say something wrong, which is reported.
func (c *call) campaignConfig(input string) (cfg campaign.Config, ok bool) {
	cfg = campaign.Config{Input: input, Now: func() time.Time { return c.now }}
	cfg.Manifest, _ = c.flag("manifest")
	cfg.RepoRoot, _ = c.flag("repo-root")
	cfg.ForbiddenTokens, _ = c.flag("forbidden-tokens")
	cfg.Out, _ = c.flag("out")
	builder, live := c.flag("builder")
	root, rooted := c.flag("builder-root")
	if live != rooted {
		c.usage(hinted{errors.New("--builder and --builder-root go together"), "the builder's root is never guessed"})
		return cfg, false
	}
	for _, name := range []string{"interpreter", "timeout", "pass-env", "watch"} {
		if _, given := c.flag(name); given && !live {
			c.usage(fmt.Errorf("--%s is about a builder, and there is no --builder", name))
			return cfg, false
		}
	}
	if !live {
		return cfg, true
	}
	b := campaign.Builder{Watch: c.flags["watch"]}
	interpreter, _ := c.flag("interpreter")
	for _, p := range []struct {
		to    *string
		given string
	}{{&b.Path, builder}, {&b.Root, root}, {&b.Interpreter, interpreter}} {
		if p.given == "" {
			continue
		}
		abs, err := filepath.Abs(p.given)
		if err != nil {
			c.usage(err)
			return cfg, false
		}
		*p.to = abs
	}
	if text, given := c.flag("timeout"); given {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			c.usage(fmt.Errorf("--timeout %q is not a duration such as 45s", text))
			return cfg, false
		}
		b.Timeout = d
	}
	for _, name := range c.flags["pass-env"] {
		value, set := c.env[name]
		if !set {
			c.usage(fmt.Errorf("--pass-env %s: there is no such variable", name))
			return cfg, false
		}
		b.Env = append(b.Env, name+"="+value)
	}
	cfg.Witness = b
	return cfg, true
}

// interruptible ends a builder that runs when the command is interrupted.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

func runCampaignRun(c *call) int {
	cfg, ok := c.campaignConfig(c.operands[0])
	if !ok {
		return exitUsage
	}
	if cfg.Out == "" {
		return c.usage(errors.New("campaign run needs --out DIR: a verdict without a record is none"))
	}
	run := campaign.Run
	if c.is("bundle") {
		run = campaign.RunBundle
	}
	if _, tty := c.terminal(); tty && cfg.Witness != nil {
		fmt.Fprintln(c.stderr, "ambit: note: watching the builder and its work tree")
	}
	ctx, stop := interruptible()
	defer stop()
	rec, err := run(ctx, cfg)
	if c.json {
		c.stdout.Write(rec.Render())
	} else {
		writeCampaign(c, rec)
	}
	if err != nil {
		c.fail("io", err)
		return exitIO
	}
	c.adviseCampaign(cfg, rec)
	return campaignExit(rec.Status)
}

// adviseCampaign says what to do about a witness that saw nothing, as far as that can be told.
func (c *call) adviseCampaign(cfg campaign.Config, rec campaign.Record) {
	has := func(code campaign.Code) bool {
		return slices.ContainsFunc(rec.Findings, func(f campaign.Finding) bool { return f.Code == code })
	}
	b, live := cfg.Witness.(campaign.Builder)
	switch {
	case has(campaign.WitnessBlocked) && !live && cfg.Manifest == "":
		c.note("no_witness", errors.New("there was no witness; name one with --builder and --builder-root, or with --manifest"))
	case has(campaign.BuilderNotStarted) && live && b.Interpreter == "":
		c.note("not_started", errors.New("a builder is an executable file that only you or root may change; one that is a script and not executable needs --interpreter"))
	case has(campaign.BuilderNotStarted) && live:
		c.note("not_started", errors.New("a builder is a file that only you or root may change, and its interpreter a program that is there"))
	case has(campaign.BuilderReportInvalid):
		c.note("report", errors.New("ambit campaign run --help says what a builder prints, and nothing beside it"))
	}
}

func campaignExit(s campaign.Status) int {
	if s == campaign.Pass {
		return exitOK
	}
	return exitRefused
}

func runCampaignNegative(c *call) int {
	cfg, ok := c.campaignConfig(c.operands[1])
	if !ok {
		return exitUsage
	}
	ctx, stop := interruptible()
	defer stop()
	n, err := campaign.RunNegative(ctx, c.operands[0], cfg)
	if c.json {
		writeJSON(c.stdout, struct {
			Version int `json:"version"`
			campaign.NegativeCase
		}{1, n})
	} else {
		fmt.Fprintf(c.stdout, "%s  %s\n", n.Status, n.ID)
		for _, code := range n.Codes {
			fmt.Fprintf(c.stdout, "  %s\n", code)
		}
	}
	switch {
	case err != nil:
		c.fail("io", err)
		return exitIO
	case n.Status == campaign.Unsupported:
		c.fail(string(campaign.NegativeCaseUnsupported), suggest(fmt.Errorf("there is no such negative case; there is: %s", strings.Join(campaign.NegativeCases(), ", ")), c.operands[0], campaign.NegativeCases()))
	case n.Status == campaign.NotRun:
		c.warn("baseline", errors.New("the campaign does not pass as it is, so spoiling it shows nothing"))
	}
	if n.Status == campaign.Proven {
		return exitOK
	}
	return exitRefused
}
