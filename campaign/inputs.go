package campaign

import (
	"errors"
	"os"
	"slices"

	"example.com/ambit/internal/canonjson"
)

// The base names of the four documents. // P1
const (
	GapsFile     = "coverage_gaps.json"           // what is not covered yet: what a campaign could work on
	PolicyFile   = "campaign_policy.json"         // what may be proposed, and how much of it
	LedgerFile   = "failed_campaign_digests.json" // digests of campaigns that failed before
	ProtocolFile = "projection_protocol.json"     // how a campaign is shown to others
)

// Inputs is the four documents of a campaign, read once. The zero Inputs lacks all of them, and is refused.
type Inputs struct {
	// Actions are names that the policy may allow beside DefaultActions; writing to the source cannot be one of them.
	Actions []string

	docs [4]document
}

// documentNames is the order in which documents are judged. // P10
var documentNames = [4]string{GapsFile, PolicyFile, LedgerFile, ProtocolFile}

const (
	gapsDoc = iota
	policyDoc
	ledgerDoc
	protocolDoc
)

// document is one file as it was read.
type document struct {
	data  []byte
	state Code            // why it cannot be used; "" when it can
	root  canonjson.Value // an object; nothing when it cannot be used
}

// NewInputs takes the documents' bytes; nil is a missing document. The bytes are not kept.
func NewInputs(gaps, policy, ledger, protocol []byte) Inputs {
	var in Inputs
	for i, data := range [4][]byte{gaps, policy, ledger, protocol} {
		in.docs[i] = readDocument(documentNames[i], data)
	}
	return in
}

// Load reads the four documents of a folder, each once and whole. A document that is missing, a link, too large or not
// strict JSON is a finding of Evaluate and not an error; the error is for what could not be read, and the Inputs are
// then refused as well. // P1, P2
func Load(dir string) (Inputs, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
			err = nil // no folder, so nothing is in it
		}
		return Inputs{}, unlessAbsent(err)
	}
	defer func() { _ = root.Close() }()
	var unreadable []error
	var in Inputs
	for i, name := range documentNames {
		data, err := readRegular(root, name, MaxDocument)
		switch {
		case err == nil:
			in.docs[i] = readDocument(name, data)
		case absent(err):
		case errors.Is(err, errTooLarge):
			in.docs[i] = document{data: data, state: InputInvalidJSON}
		default:
			in.docs[i].state = InputInvalidJSON
			unreadable = append(unreadable, err)
		}
	}
	return in, errors.Join(unreadable...)
}

func readDocument(name string, data []byte) document {
	if data == nil {
		return document{}
	}
	d := document{data: slices.Clone(data)}
	v, err := canonjson.Parse(name, data, limits)
	switch {
	case err != nil:
		d.state = InputInvalidJSON
	case !v.Is(canonjson.KindObject):
		d.state = InputNotObject
	default:
		d.root = v
	}
	return d
}

// fault gives why the document cannot be used, "" when it can. A document without bytes is missing.
func (d document) fault() Code {
	if !d.root.Exists() && d.state == "" {
		return InputMissing
	}
	return d.state
}

// bytes gives the four documents as NewInputs takes them.
func (in Inputs) bytes() (data [4][]byte) {
	for i, d := range in.docs {
		data[i] = d.data
	}
	return data
}
