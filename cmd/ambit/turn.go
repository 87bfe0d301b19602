package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"example.com/ambit/turnenvelope"
)

func turnCommands() []command {
	return []command{
		{
			name: "turn project", operands: "[FILE|-]", max: 1, about: "the bounded view of a decision, compact",
			detail: "Reads a decision (one JSON object) from FILE or standard input and prints its envelope as one line. " +
				"What it saved stands on standard error. A host that is named gets its own command for the full decision.",
			example: "ambit turn project decision.json --profile codex_cli",
			flags: []flagDef{
				{name: "profile", value: "P", about: "the host's runtime profile: " + strings.Join(turnenvelope.Profiles(), ", ")},
				{name: "host-surface", value: "S", about: "the host's surface, with --scheduler-owner and --execution-mode"},
				{name: "scheduler-owner", value: "O", about: "who schedules the host"},
				{name: "execution-mode", value: "M", about: "how the host runs"},
				{name: "strict", about: "refuse an envelope over the budget of 8192 bytes"},
			},
			run: runTurnProject,
		},
		{
			name: "turn verify", operands: "DECISION ENVELOPE", min: 2, max: 2,
			about:   "recompute both signatures and name what differs",
			detail:  "Nothing that is stored is trusted. Exit 2 when the envelope is not the view of this decision: in every signed part the value that differs is named, with its place.",
			example: "ambit turn verify decision.json envelope.json", run: runTurnVerify,
		},
		{
			name: "turn receipt", operands: "NAME=FILE...", min: 1, max: -1, about: "measure outputs, to be compared by turn qualify",
			detail:  "FILE holds what a program printed, JSON or Markdown; NAME is its row in the receipt, which is printed.",
			example: "ambit turn receipt plain=out.json help=help.md > base.json",
			flags:   []flagDef{{name: "policy", value: "P", about: "how much each may grow (default baseline_and_growth)", oneOf: turnenvelope.Policies()}},
			run:     runTurnReceipt,
		},
		{
			name: "turn qualify", operands: "BASE HEAD", min: 2, max: 2, about: "whether head may differ from base as it does",
			detail:  "Exit 0: nothing fails; the last line says whether a person should look. Exit 2: a row fails.",
			example: "ambit turn qualify base.json head.json", run: runTurnQualify,
		},
		{
			name: "turn explain", operands: "ENVELOPE", min: 1, max: 1, about: "an envelope for people: references followed, bytes per section",
			detail:  "The first word is what a host may do with it; it is disposition in JSON. Exit 0 for every envelope that can be read, also one that is refused.",
			example: "ambit turn explain envelope.json", run: runTurnExplain,
		},
	}
}

// readTurn reads an operand: a file, or - for standard input. One byte beyond the limit is enough to refuse it.
func (c *call) readTurn(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(c.stdin, turnenvelope.MaxBytes+1))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, turnenvelope.MaxBytes+1))
}

// readTurns reads several operands, and reports each that cannot be read: then code is not exitOK. Standard input can
// stand for one of them; for a second nothing would be left, and nothing would be judged.
func (c *call) readTurns(names ...string) (data [][]byte, code int) {
	if first := slices.Index(names, "-"); first >= 0 && slices.Contains(names[first+1:], "-") {
		return nil, c.usage(errors.New("standard input can be only one of the operands"))
	}
	for _, n := range names {
		d, err := c.readTurn(n)
		if err != nil {
			c.fail("io", err)
			code = exitIO
		}
		data = append(data, d)
	}
	return data, code
}

// withVersion puts the version before the members of an object.
func withVersion(object []byte) json.RawMessage {
	return append([]byte(`{"version":1,`), object[1:]...)
}

func runTurnProject(c *call) int {
	host, err := c.turnHost()
	if err != nil {
		return c.usage(err)
	}
	name := "-"
	if len(c.operands) > 0 {
		name = c.operands[0]
	}
	data, code := c.readTurns(name)
	if code != exitOK {
		return code
	}
	env, err := turnenvelope.Project(data[0], turnenvelope.Options{Host: host, Strict: c.is("strict")})
	if err != nil {
		c.fail("decision", inFile(err, name))
		return exitRefused
	}
	var said struct{ Compaction turnSizes }
	if err := json.Unmarshal(env.JSON(), &said); err != nil {
		c.fail("io", err)
		return exitIO
	}
	if c.json {
		writeJSON(c.stdout, struct {
			Version  int                    `json:"version"`
			Sizes    turnSizes              `json:"sizes"`
			Sections []turnSection          `json:"sections"`
			Envelope *turnenvelope.Envelope `json:"envelope"`
		}{1, said.Compaction, turnSections(env), env})
	} else {
		fmt.Fprintln(c.stdout, env)
		c.note("size", errors.New(said.Compaction.String()))
	}
	if !said.Compaction.Within {
		c.warn("over_budget", hinted{fmt.Errorf("the envelope has %d bytes, the budget is %d", said.Compaction.Bytes, said.Compaction.Budget),
			"ambit turn explain shows which section grew"})
	}
	return exitOK
}

// turnHost reads the host's flags: a profile, or all three parts.
func (c *call) turnHost() (turnenvelope.Host, error) {
	profile, byProfile := c.flag("profile")
	h := turnenvelope.Host{Profile: profile}
	parts := 0
	for _, f := range []struct {
		name string
		to   *string
	}{{"host-surface", &h.Surface}, {"scheduler-owner", &h.Owner}, {"execution-mode", &h.Mode}} {
		if v, ok := c.flag(f.name); ok {
			*f.to = v
			parts++
		}
	}
	switch {
	case byProfile && parts > 0:
		return h, errors.New("--profile stands for the host; give it or --host-surface, --scheduler-owner and --execution-mode, not both")
	case parts > 0 && parts < 3:
		return h, errors.New("--host-surface, --scheduler-owner and --execution-mode belong together")
	}
	if (byProfile || parts > 0) && !h.Known() {
		host := "the host"
		if byProfile {
			host = fmt.Sprintf("profile %q", profile)
		}
		c.warn("host_unknown", suggest(fmt.Errorf("%s is not one of those known; the envelope says in words how to get the full decision", host), profile, turnenvelope.Profiles()))
	}
	return h, nil
}

// turnSizes is an envelope's compaction.
type turnSizes struct {
	Source int     `json:"source_json_bytes"`
	Bytes  int     `json:"envelope_json_bytes"`
	Ratio  float64 `json:"byte_reduction_ratio"`
	Budget int     `json:"budget_bytes"`
	Within bool    `json:"within_budget"`
}

func (s turnSizes) String() string {
	if s.Ratio < 0 {
		return fmt.Sprintf("%d bytes to %d, %.2f%% more", s.Source, s.Bytes, -100*s.Ratio)
	}
	return fmt.Sprintf("%d bytes to %d, %.2f%% less", s.Source, s.Bytes, 100*s.Ratio)
}

// turnSection is a section's share, for JSON.
type turnSection struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

func turnSections(env *turnenvelope.Envelope) []turnSection {
	out := []turnSection{}
	for _, s := range env.Sections() {
		out = append(out, turnSection(s))
	}
	return out
}

// inFile names the file in each positioned error.
func inFile(err error, name string) error {
	for _, e := range turnFaults(err) {
		if e.File == "" && name != "-" {
			e.File = name
		}
	}
	return err
}
