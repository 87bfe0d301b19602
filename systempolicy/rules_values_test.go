package systempolicy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/ambit/systempolicy"
)

// declare writes a system whose dev environment has one key, as a person would in block style.
func declare(env, path, value string) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "environments:\n  %s:\n    autonomy:\n", env)
	steps := strings.Split(path, ".")
	for i, s := range steps {
		b.WriteString(strings.Repeat(" ", 6+2*i) + s + ":")
		if i < len(steps)-1 {
			b.WriteString("\n")
		}
	}
	if value != "" {
		b.WriteString(" " + value)
	}
	return b.String() + "\n"
}

// TestValues tries every key on both sides of each boundary of its rule: a value that is written as it is read, or the code of
// the refusal, which must stand at the key, on the value's line, and name what is allowed.
func TestValues(t *testing.T) {
	const (
		levels = "observe, advise, propose, act, improve"
		crits  = "low, medium, high"
		url    = "http:// or https:// URL"
		one    = "integer of 1 or more"
		zero   = "integer of 0 or more"
		above  = "number above 0"
		hhmm   = `"HH:MM" from "00:00" to "23:59"`
		days   = "non-empty list of mon, tue, wed, thu, fri, sat, sun, no duplicates"
		zone   = "IANA time zone name"
		dur    = "<n>m, <n>h or <n>d"
		bools  = "true, false"
		routes = "list, subset of [fix]"
		digits = "plain decimal digits"
	)
	type row struct{ path, value, want string } // "=text" is accepted, else "code|allowed"
	var rows []row
	add := func(path, want string, values ...string) {
		for _, v := range values {
			rows = append(rows, row{path, v, want})
		}
	}
	ok := func(path string, pairs ...string) {
		for i := 0; i < len(pairs); i += 2 {
			rows = append(rows, row{path, pairs[i], "=" + pairs[i+1]})
		}
	}
	// R13, A-env-1
	for _, l := range strings.Split(levels, ", ") {
		ok("level", l, l, `"`+l+`"`, l, "'"+l+"'", l)
	}
	add("level", "not-allowed|"+levels, "Observe", "OBSERVE", "acts", "ac", "act.", `"act "`, `" act"`, "full", "none", "off", "autonomous", "''", `"null"`, `"~"`)
	add("level", "wrong-type|"+levels, "3", "true", "[act]", "{act: 1}", "1.5", "0")
	add("level", "null|"+levels, "", "~", "null", "Null", "NULL")
	// R14, A-eng-*
	for _, u := range []string{
		"https://a", "http://a", "https://a.example.com", "https://a.example.com/", "https://a.example.com:1", "https://a.example.com:65535",
		"https://A.Example.COM", "https://a.example.com.", "https://a.example.com/ops/v2", "http://127.0.0.1:8080", "http://localhost",
		"http://[::1]", "http://[::1]:8080", "http://[2001:db8::1]/x", "https://xn--bcher-kva.example",
	} {
		ok("engine", u, u)
	}
	add("engine", "bad-url|"+url, "https://a:0", "https://a:65536", "https://a:99999999999999999999", `"https://a:"`, "https://a:x", "https://a:-1", "Https://a", "HTTP://a",
		"https://", "http://:8080", "https:///x", "//a", "a.example.com", "https:a", "https:/a", "https://user@a", "https://u:p@a", "https://@a", `"https://a?x=1"`, `"https://a?"`,
		`"https://a#"`, `"https://a#f"`, `"https://a b"`, `"https://a\tb"`, `"https://a\\b"`, "https://bücher.example", `"https://a/ä"`, `" https://a"`, `"https://a "`, "ftp://a", "ws://a",
		"none", `""`, `"https://[::1"`, `"https://::1"`, "https://.a", "https://a..b", "https://a-.b", "https://-a", `"https://a/\x7f"`, `"https://[fe80::1%25eth0]"`)
	add("engine", "bad-url|"+url, "false", "80")
	add("engine", "wrong-type|"+url, "[https://a]")
	add("engine", "null|"+url, "", "~", "null")
	// R15
	ok("autoMerge.routes", "[fix]", "[fix]", "[]", "[]", "[fix, fix]", "[fix]", `["fix"]`, "[fix]", "[fix, ]", "[fix]")
	add("autoMerge.routes", "not-allowed|"+routes, "[spec]", "[fix, spec]", "[FIX]", `["fix "]`, `[""]`)
	add("autoMerge.routes", "wrong-type|"+routes, "fix", `""`, "{}", "{fix: true}", "1", "[[fix]]")
	add("autoMerge.routes", "not-allowed|"+routes, "[1]", "[true]")
	add("autoMerge.routes", "null|"+routes, "", "~")
	for _, c := range strings.Split(crits, ", ") {
		ok("autoMerge.maxCriticality", c, c)
	}
	add("autoMerge.maxCriticality", "not-allowed|"+crits, "LOW", "critical", "med", "hi", "none", `""`, "lowest", `"low "`)
	add("autoMerge.maxCriticality", "wrong-type|"+crits, "1", "[low]", "true")
	add("autoMerge.maxCriticality", "null|"+crits, "", "null")
	// R16, A-num-*
	for _, k := range []string{"riskGate.maxFiles", "riskGate.maxLines"} {
		ok(k, "1", "1", "2", "2", "9007199254740991", "9007199254740991", "9007199254740990", "9007199254740990")
		add(k, "out-of-range|"+one, "0", "-1", "9007199254740992", "9223372036854775807", "9223372036854775808", "99999999999999999999")
		add(k, "wrong-type|"+one, "5.0", "1e1", `"5"`, "'5'", "true", "[5]", "{}", ".inf", "five", "1.", "5 000", "1,000", "5%", "０", "٥")
		add(k, "ambiguous-scalar|"+digits, "010", "0900", "00", "0x10", "0o17", "0b11", "1_000")
		add(k, "null|"+one, "", "~", "null")
	}
	for _, k := range []string{"budget.runsPerDay", "budget.mergesPerDay"} {
		ok(k, "0", "0", "1", "1", "9007199254740991", "9007199254740991")
		add(k, "out-of-range|"+zero, "-1", "9007199254740992", "99999999999999999999")
		add(k, "wrong-type|"+zero, "0.0", "1e0", `"0"`, "false", "[0]", "unlimited", "-.inf", ".nan")
		add(k, "ambiguous-scalar|"+digits, "00", "01", "0x0", "1_0", "0o1", "0b1")
		add(k, "null|"+zero, "", "~")
	}
	for _, k := range []string{"riskGate.regressionTest", "riskGate.secondReview"} {
		ok(k, "true", "true", "True", "true", "TRUE", "true", "false", "false", "False", "false", "FALSE", "false")
		add(k, "wrong-type|"+bools, "yes", "no", "on", "off", "y", "n", "Yes", "NO", "On", "OFF", "Y", "N")
		add(k, "wrong-type|"+bools, `"true"`, "'false'", "1", "0", "[true]", "tRue", "t", "required")
		add(k, "null|"+bools, "", "~")
	}
	// R17, A-num-3
	for _, k := range []string{"minutes", "invocations", "reruns", "cost"} {
		k = "budget.perRun." + k
		ok(k, "1", "1", "0.5", "0.5", "0.000001", "0.000001", "5.0", "5", "1e3", "1000", "2.50", "2.5", "9007199254740991", "9007199254740991")
		add(k, "out-of-range|"+above, "0", "0.0", "-1", "-0.1", ".inf", ".Inf", "+.inf", "-.inf", ".nan", ".NaN", "1e400", "-0", "0e5")
		add(k, "wrong-type|"+above, `"1"`, "true", "[1]", "$1", "1m", "one", "1,5")
		add(k, "ambiguous-scalar|"+digits, "010", "0x10", "0o7", "0b1", "1_0")
		add(k, "null|"+above, "", "~")
	}
	// R18, W8, W10
	ok("window.days", "[mon]", "[mon]", "[sun, mon]", "[mon, sun]", "[mon, tue, wed, thu, fri, sat, sun]", "[mon, tue, wed, thu, fri, sat, sun]", `["sat"]`, "[sat]")
	add("window.days", "not-allowed|"+days, "[]", "[Mon]", "[monday]", "[mon-fri]", `["mon "]`, "[mo]", "[weekend]", `[""]`)
	add("window.days", "not-allowed|"+days, "[mon, mon]", `[mon, tue, "mon"]`)
	add("window.days", "wrong-type|"+days, "mon", "mon,tue", "{mon: true}", "[[mon]]", "true")
	add("window.days", "not-allowed|"+days, "[1]", "[true]")
	add("window.days", "null|"+days, "", "~")
	ok("window.from", `"00:00"`, "00:00", `"00:01"`, "00:01", `'08:59'`, "08:59", "9:01", "09:01", "09:01", "09:01", "1:00", "01:00", "01:00", "01:00", "10:59", "10:59", "23:59", "23:59", "00:30", "00:30", `"23:59"`, "23:59")
	add("window.from", "bad-time|"+hhmm, `"24:00"`, "24:00", "23:60", `"23:60"`, `"9:00"`, "0:30", "0:00", "12:75", "17:0", "+17:00", "-1:00", "12:00:00", `"12:00:00"`, "7:5", "1:30:00", `"09:00 "`, `" 09:00"`, "9h", "noon", `"0900"`, "009:00", `"1020"`, "9:00am", "09:00Z", `""`)
	add("window.from", "bad-time|"+hhmm, "1020", "17", "60", "59", "1439", "0", "0900")
	add("window.to", "bad-time|"+hhmm, "1020", "17", "1800")
	add("window.from", "wrong-type|"+hhmm, "true", "[\"09:00\"]", "{}")
	add("window.from", "null|"+hhmm, "", "~")
	ok("window.to", `"00:00"`, "00:00", `"08:59"`, "08:59", `"09:01"`, "09:01", "8:59", "08:59")
	add("window.to", "not-allowed|different from window.from", `"09:00"`, "9:00", "09:00")
	add("window.from", "not-allowed|different from window.to", `"17:00"`, "17:00")
	for _, z := range []string{"UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Calcutta", "US/Pacific", "Etc/GMT+5", "Etc/GMT-14", "EST", "MST", "HST", "Australia/Lord_Howe", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "GMT", "Etc/UTC", "CET", "EST5EDT", "Zulu", "Europe/Kyiv", "GB", "Pacific/Apia", "UCT", "PRC", "W-SU"} {
		ok("window.timezone", z, z)
	}
	add("window.timezone", "bad-zone|"+zone, `""`, "Local", "localtime", "Factory", "posix/UTC", "right/UTC", "posix/Europe/Berlin", "CEST", "BST", "PST", "utc", "europe/berlin", "Europe/berlin", "EUROPE/BERLIN", "Europe", "Europe/", "/UTC", "./UTC", "../UTC",
		"Europe/../UTC", "Europe//Berlin", "Europe/Berlin/", `"+02:00"`, "UTC+1", "GMT+1", "Europe/Bonn", `"Europe/Berlin "`, "zone.tab", "tzdata.zi", "Europe\\Berlin", "posixrules", "leapseconds")
	add("window.timezone", "wrong-type|"+zone, "[UTC]", "true")
	add("window.timezone", "bad-zone|"+zone, "2")
	add("window.timezone", "null|"+zone, "", "~")
	// R19, A-undo-*
	ok("undoWindow", "1m", "1m", "1h", "1h", "1d", "1d", "90m", "90m", "24h", "24h", "106751d", "106751d", "2562047h", "2562047h", "153722867m", "153722867m", `"36h"`, "36h")
	add("undoWindow", "bad-duration|"+dur, "0m", "0h", "0d", "00h", "01h", "1.5h", "1h30m", "24H", "1D", "1M", "1w", "1s", "1y", `"1 h"`, `" 1h"`, `"1h "`, "+1h", "-1h", "h", "1", `""`, "24hours", "P1D", "1e2h", "1_0h", "١h")
	add("undoWindow", "bad-duration|"+dur, "106752d", "2562048h", "153722868m", "99999999999999999999d", "9223372036854775807h")
	add("undoWindow", "wrong-type|"+dur, "true", "[24h]")
	add("undoWindow", "bad-duration|"+dur, "24", "1.5")
	add("undoWindow", "null|"+dur, "", "~")

	for _, r := range rows {
		t.Run(r.path+"="+r.value, func(t *testing.T) {
			text := declare("dev", r.path, r.value)
			s, err := systempolicy.Parse("system.yaml", []byte(text))
			if want, fine := strings.CutPrefix(r.want, "="); fine {
				k, kerr := systempolicy.ParseKey(r.path)
				if kerr != nil {
					t.Fatal(kerr)
				}
				if err != nil {
					t.Fatalf("%s: %v", r.value, err)
				}
				if got := s.Policy("dev").Text(k); got != want {
					t.Errorf("read as %q, want %q", got, want)
				}
				return
			}
			code, allowed, _ := strings.Cut(r.want, "|")
			var e *systempolicy.Error
			if !errors.As(err, &e) {
				t.Fatalf("accepted %q", r.value)
			}
			if e.Code != code || e.Key != "environments.dev.autonomy."+r.path || e.Line != 4+strings.Count(r.path, ".") || e.File != "system.yaml" || e.Col < 7 {
				t.Errorf("%v (code %s, %d:%d, key %s), want code %s", e, e.Code, e.Line, e.Col, e.Key, code)
			}
			if !strings.Contains(e.Error(), allowed) {
				t.Errorf("%q does not say %q", e.Error(), allowed)
			}
			if s.Valid() {
				t.Error("valid all the same")
			}
			if out, err := s.Render(); err == nil || out != nil {
				t.Error("rendered all the same")
			}
		})
	}
	t.Logf("%d values", len(rows))
}
