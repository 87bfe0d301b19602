package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/ambit/tiers"
	"example.com/ambit/tiers/eventlog"
)

func notifyCommands() []command {
	level := flagDef{name: "level", value: "LEVEL", about: "info, warn or block", oneOf: tiers.LevelNames()}
	return []command{
		{
			name: "notify", operands: "[DIR]", max: 1, about: "print one line for a person, and record it",
			detail: "Prints the line first and records it after, in " + eventlog.Path + " under DIR (default the root):\n" +
				"a log that cannot be written changes neither the line nor the exit code. A block exits 2.",
			example: `ambit notify --level block --topic git --message "Push by hand: git push"`,
			flags: []flagDef{
				level,
				{name: "topic", value: "TOPIC", about: "what it is about, shown in brackets"},
				{name: "message", value: "TEXT", about: "what to say"},
				{name: "agent", value: "AGENT", about: "who says it; recorded only"},
			},
			run: runNotify,
		},
		{
			name: "notify log", about: "what was said before",
			detail:  "Reads .aioson/runtime/ambit-events.sqlite under the root, oldest first. A log that is not there has nothing in it.",
			example: "ambit notify log --since 24h --level block",
			flags: []flagDef{
				{name: "since", value: "D", about: "only the last so long, as 90m, 24h or 7d, or since an RFC 3339 time"},
				level,
				{name: "topic", value: "TOPIC", about: "only this topic"},
				{name: "agent", value: "AGENT", about: "only this agent"},
				{name: "limit", value: "N", about: "only the newest N"},
			},
			run: runNotifyLog,
		},
	}
}

func runNotify(c *call) int {
	n := tiers.Notification{}
	level, ok := c.flag("level")
	if !ok {
		return c.usage(hinted{errors.New("notify needs --level"), "one of " + strings.Join(tiers.LevelNames(), ", ")})
	}
	if err := n.Level.UnmarshalText([]byte(level)); err != nil {
		return c.usage(err)
	}
	n.Topic, _ = c.flag("topic")
	n.Message, _ = c.flag("message")
	if err := n.Validate(); err != nil {
		return c.usage(hinted{fmt.Errorf("notify needs --message: %w", err), `--message "what to say"`})
	}
	agent, named := c.flag("agent")
	if named {
		if err := eventlog.CheckAgent(agent); err != nil {
			return c.usage(fmt.Errorf("--agent %w", err))
		}
	}
	dir := c.root()
	if len(c.operands) > 0 {
		dir = c.operands[0]
	}
	if err := printNotification(c, n); err != nil {
		c.fail("io", fmt.Errorf("standard output: %w", err))
		return max(exitIO, n.ExitCode())
	}
	if err := recordEvent(c, dir, n, agent); err != nil {
		c.warn("event_not_recorded", fmt.Errorf("not recorded: %w", err))
	}
	return n.ExitCode()
}

// printNotification writes at once, past the buffer: printing comes before recording (T52).
func printNotification(c *call, n tiers.Notification) error {
	if !c.json {
		_, err := fmt.Fprintln(c.stream, n.Line())
		return err
	}
	var b strings.Builder
	writeJSON(&b, struct {
		Version  int         `json:"version"`
		Level    tiers.Level `json:"level"`
		Topic    *string     `json:"topic"`
		Message  string      `json:"message"`
		Line     string      `json:"line"`
		ExitCode int         `json:"exitCode"`
	}{1, n.Level, optional(n.Topic), n.Message, n.Line(), n.ExitCode()})
	_, err := c.stream.Write([]byte(b.String()))
	return err
}

// recordEvent appends to the log of a folder that exists; only the folders of the log itself are made (H36).
func recordEvent(c *call, dir string, n tiers.Notification, agent string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(eventlog.Path), 0o755); err != nil {
		return err
	}
	return c.eventLog(dir).Record(context.Background(), n, agent, nil)
}

// eventLogTimeout is how long the log is waited for; 0 is the log's own default. Tests shorten it.
var eventLogTimeout time.Duration

func (c *call) eventLog(dir string) eventlog.Log {
	l := eventlog.Log{File: filepath.Join(dir, filepath.FromSlash(eventlog.Path)), Timeout: eventLogTimeout}
	if c.nowText != "" {
		l.Now = func() time.Time { return c.now }
	}
	return l
}

type eventJSON struct {
	ID        int64           `json:"id"`
	EventType string          `json:"event_type"`
	Level     tiers.Level     `json:"level"`
	Topic     *string         `json:"topic"`
	Message   string          `json:"message"`
	Agent     *string         `json:"agent"`
	Meta      json.RawMessage `json:"meta"`
	CreatedAt string          `json:"created_at"`
}

func runNotifyLog(c *call) int {
	filter, err := c.eventFilter()
	if err != nil {
		return c.usage(err)
	}
	events, err := c.eventLog(c.root()).Query(context.Background(), filter)
	if err != nil {
		c.fail("event_log", fmt.Errorf("%s: %w", filepath.Join(c.root(), filepath.FromSlash(eventlog.Path)), err))
		return exitIO
	}
	const stamp = "2006-01-02T15:04:05.000Z"
	if c.json {
		rows := []eventJSON{}
		for _, e := range events {
			rows = append(rows, eventJSON{e.ID, e.Type, e.Level, optional(e.Topic), e.Message, optional(e.Agent), e.Meta, e.CreatedAt.Format(stamp)})
		}
		writeJSON(c.stdout, struct {
			Version int         `json:"version"`
			Events  []eventJSON `json:"events"`
		}{1, rows})
		return exitOK
	}
	if len(events) == 0 {
		c.note("no_events", errors.New("no events"))
		return exitOK
	}
	rows := make([][]string, len(events))
	for i, e := range events {
		when := e.CreatedAt.Format(stamp)
		if _, tty := c.terminal(); tty {
			when = ago(c.now.Sub(e.CreatedAt))
		}
		line := tiers.Notification{Level: e.Level, Topic: e.Topic, Message: e.Message}.Line()
		if e.Agent != "" {
			line += "  (" + printable(e.Agent) + ")"
		}
		rows[i] = []string{when, line}
	}
	writeTable(c.stdout, rows)
	return exitOK
}

// eventFilter reads the flags of notify log.
func (c *call) eventFilter() (f eventlog.Filter, err error) {
	if v, ok := c.flag("since"); ok {
		if f.Since, err = since(v, c.now); err != nil {
			return f, err
		}
	}
	if v, ok := c.flag("level"); ok {
		f.Level = new(tiers.Level)
		if err := f.Level.UnmarshalText([]byte(v)); err != nil {
			return f, err
		}
	}
	f.Topic, _ = c.flag("topic")
	f.Agent, _ = c.flag("agent")
	if v, ok := c.flag("limit"); ok {
		if f.Limit, err = strconv.Atoi(v); err != nil || f.Limit < 1 {
			return f, fmt.Errorf("--limit %q is not a number from 1 on", v)
		}
	}
	return f, nil
}

// since reads how long ago, or a time. Days are 24 hours.
func since(text string, now time.Time) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	unit := text
	days, isDays := strings.CutSuffix(text, "d")
	if n, err := strconv.ParseUint(days, 10, 16); isDays && err == nil {
		unit = fmt.Sprintf("%dh", n*24)
	}
	d, err := time.ParseDuration(unit)
	if err != nil || d < 0 {
		return time.Time{}, fmt.Errorf("--since %q is neither a span such as 90m, 24h or 7d nor an RFC 3339 time", text)
	}
	return now.Add(-d), nil
}
