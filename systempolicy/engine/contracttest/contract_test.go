// Package contracttest holds what the engine's tests say over the wire against the published contract.
package contracttest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// exchange is one request with its answer, as the engine's tests record it.
type exchange struct {
	Test, Method, URL, Type string
	Authorization           bool
	Body, Answer            []byte
	Status                  int
}

func contract(t *testing.T) (*openapi3.T, routers.Router) {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("../contract.openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	doc.Servers = nil // the tests have addresses of their own
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc, router
}

// check validates the exchange: the answer always, and the request where it was accepted. A pause is accepted however carelessly it is written.
func check(t *testing.T, router routers.Router, e exchange) (requestErr, answerErr error) {
	t.Helper()
	r, err := http.NewRequest(e.Method, e.URL, bytes.NewReader(e.Body))
	if err != nil {
		t.Fatal(err)
	}
	r.URL = &url.URL{Path: r.URL.Path, RawQuery: r.URL.RawQuery}
	r.Header.Set("Content-Type", "application/json")
	if e.Authorization {
		r.Header.Set("Authorization", "Bearer x")
	}
	route, params, err := router.FindRoute(r)
	if err != nil {
		return err, nil // a path or method that the contract does not have
	}
	options := &openapi3filter.Options{AuthenticationFunc: func(_ context.Context, in *openapi3filter.AuthenticationInput) error {
		if !e.Authorization {
			return in.NewError(nil)
		}
		return nil
	}, IncludeResponseStatus: true, MultiError: true}
	in := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route, Options: options}
	requestErr = openapi3filter.ValidateRequest(t.Context(), in)
	answerErr = openapi3filter.ValidateResponse(t.Context(), (&openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: e.Status,
		Header: http.Header{"Content-Type": {e.Type}}, Options: options}).SetBodyBytes(e.Answer))
	return requestErr, answerErr
}

// TestEveryExchange runs the engine's tests and holds every request and answer against the contract.
func TestEveryExchange(t *testing.T) {
	_, router := contract(t)
	dir := t.TempDir()
	cmd := exec.Command("go", "test", "-short", "-count=1", ".")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "AMBIT_RECORD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	statuses := map[int]int{}
	bad := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var e exchange
		if err := json.Unmarshal(data, &e); err != nil {
			t.Fatal(err)
		}
		statuses[e.Status]++
		requestErr, answerErr := check(t, router, e)
		careless := e.Status == 200 && strings.Contains(string(e.Body), `"kind":"pause"`)
		if answerErr == nil && (e.Status != 200 || requestErr == nil || careless) {
			continue
		}
		if bad++; bad <= 10 {
			t.Errorf("%s: %s %s -> %d\n%s\n%s\nrequest: %v\nanswer: %v", e.Test, e.Method, e.URL, e.Status, e.Body, e.Answer, requestErr, answerErr)
		}
	}
	t.Logf("%d exchanges, by status %v", len(files), statuses)
	for _, status := range []int{200, 400, 401, 404, 405, 409, 413, 503} {
		if statuses[status] == 0 {
			t.Errorf("no exchange with status %d", status)
		}
	}
}

// TestRecords holds the run record and the audit event, as the engine writes them, against the contract.
func TestRecords(t *testing.T) {
	doc, _ := contract(t)
	dir := t.TempDir()
	cmd := exec.Command("go", "test", "-count=1", "-run", "^TestRecordsOnTheWire$", ".")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "AMBIT_RECORD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for schema, name := range map[string]string{"Run": "run.record", "Event": "event.record"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range bytes.Lines(data) {
			var v any
			if err := json.Unmarshal(line, &v); err != nil {
				t.Fatal(err)
			}
			n++
			if err := doc.Components.Schemas[schema].Value.VisitJSON(v); err != nil {
				t.Errorf("%s: %s: %v", schema, line, err)
			}
			delete(v.(map[string]any), "level")
			if doc.Components.Schemas[schema].Value.VisitJSON(v) == nil {
				t.Errorf("%s: a record without a level is valid", schema)
			}
		}
		if n == 0 {
			t.Errorf("no %s", schema)
		}
	}
}

// TestTheContractBites: what it forbids is found.
func TestTheContractBites(t *testing.T) {
	_, router := contract(t)
	const good = `{"version":1,"id":"x","system":"shop","environment":"dev","kind":"pause","at":"2026-07-22T10:02:11Z"}`
	refusal := `{"id":"","accepted":false,"code":"body","message":"m"}`
	for _, c := range []struct {
		name, body, answer string
		status             int
		request, response  bool // valid
	}{
		{"good", good, refusal, 400, true, true},
		{"version", strings.Replace(good, `"version":1`, `"version":2`, 1), refusal, 400, false, true},
		{"kind", strings.Replace(good, "pause", "promote", 1), refusal, 400, false, true},
		{"unknown code", good, strings.Replace(refusal, "body", "bodies", 1), 400, true, false},
		{"refusal as 200", good, refusal, 200, true, false},
		{"accepted refusal", good, strings.Replace(refusal, "false", "true", 1), 400, true, false},
	} {
		requestErr, answerErr := check(t, router, exchange{Method: "POST", URL: "/v1/signals", Type: "application/json", Authorization: true, Body: []byte(c.body), Answer: []byte(c.answer), Status: c.status})
		if (requestErr == nil) != c.request || (answerErr == nil) != c.response {
			t.Errorf("%s: request %v, answer %v", c.name, requestErr, answerErr)
		}
	}
}
