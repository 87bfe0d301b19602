package campaign

import (
	"errors"
	"path/filepath"

	"example.com/ambit/internal/atomicfile"
)

// The files of a run. // P41
const (
	ResultFile  = "bounded_autonomy_campaign_packet_result.json"             // the whole record
	BoardFile   = "bounded_autonomy_campaign_packet_board.json"              // its tables, for a person
	ReceiptFile = "bounded_autonomy_campaign_packet_validation_receipt.json" // its digests, for whoever validates it
)

// board is the short form of a record.
type board struct {
	Version int              `json:"version"`
	Schema  string           `json:"schema_version"`
	Title   string           `json:"title"`
	Status  Status           `json:"status"`
	Counts  boardCounts      `json:"counts"`
	Ceiling AuthorityCeiling `json:"authority_ceiling"`
	Record  string           `json:"record_digest"`
}

type boardCounts struct {
	Inputs     int `json:"input_count"`
	Candidates int `json:"candidate_count"`
	Negative   int `json:"observed_negative_case_count"`
	Findings   int `json:"finding_count"`
}

// receipt says how each part ended.
type receipt struct {
	Version  int    `json:"version"`
	Schema   string `json:"schema_version"`
	Status   Status `json:"status"`
	Witness  Status `json:"witness_status"`
	Packet   string `json:"packet_status"`
	Negative string `json:"negative_case_status"`
	Scan     string `json:"scan_status"`
	Record   string `json:"record_digest"`
}

func (r Record) board() board {
	n := 0
	for _, c := range r.Negative {
		if c.Status == Proven {
			n++
		}
	}
	return board{1, "bounded_autonomy_campaign_packet_board_v1", "Bounded autonomy campaign packet", r.Status,
		boardCounts{len(r.Inputs), len(r.Packet.Candidates), n, len(r.Findings)}, r.Ceiling, r.Digest}
}

func (r Record) receipt() receipt {
	negative := NotRun
	for _, c := range r.Negative {
		if c.Status == NotProven || c.Status == Proven && negative == NotRun {
			negative = c.Status
		}
	}
	return receipt{1, "bounded_autonomy_campaign_packet_validation_receipt_v1", r.Status, r.Witness.Status,
		r.Packet.status(), negative.String(), r.Scan, r.Digest}
}

// write writes the three files, all of them or none.
func (r Record) write(out string) (err error) {
	if err := atomicfile.MkdirAll("", out, 0o755); err != nil {
		return err
	}
	unlock, err := atomicfile.Lock(out, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	var ready []*atomicfile.Pending
	defer func() {
		for _, p := range ready {
			err = errors.Join(err, p.Discard())
		}
	}()
	for _, f := range []struct {
		name string
		data []byte
	}{{ResultFile, r.Render()}, {BoardFile, render(r.board())}, {ReceiptFile, render(r.receipt())}} {
		p, err := atomicfile.Prepare("", filepath.Join(out, f.name), 8*MaxRecord, 0o644, func([]byte, bool) ([]byte, error) { return f.data, nil })
		if err != nil {
			return err
		}
		ready = append(ready, p)
	}
	for i, p := range ready {
		if err := p.Commit(); err != nil {
			for _, done := range ready[:i] {
				err = errors.Join(err, done.Undo())
			}
			return err
		}
	}
	return nil
}
