package campaign

// Finding is one reason to refuse. All that are found are reported, in a fixed order.
type Finding struct {
	Code    Code   `json:"error_code"`           // stable
	Message string `json:"message"`              // a sentence for people; it never quotes an input
	CaseID  string `json:"case_id,omitempty"`    // the candidate or negative case concerned
	Subject string `json:"subject_id,omitempty"` // a file's base name, with #/json/pointer where a value is meant; or a source ref
	// Expected and Observed are nil, a text, an int or a list of texts. Texts from an input appear only where they are
	// plain names; otherwise their SHA-256 stands for them. // P36
	Expected any `json:"expected,omitempty"`
	Observed any `json:"observed,omitempty"` // likewise
}

// finding makes a finding with its code's sentence.
func finding(c Code, subject string) Finding {
	return Finding{Code: c, Message: sentences[c], Subject: subject}
}

func (f Finding) observed(v any) Finding     { f.Observed = v; return f }
func (f Finding) expected(v any) Finding     { f.Expected = v; return f }
func (f Finding) ofCase(id string) Finding   { f.CaseID = id; return f }
func (f Finding) saying(text string) Finding { f.Message += ": " + text; return f }

// maxFindings bounds what one document can add to a record: enough for a person, and a bound for a hostile file.
const maxFindings = 64

// some keeps the first maxFindings of a document's findings, and counts the rest.
type some struct {
	list []Finding
	n    int
}

// room counts a finding, and reports whether it is still listed: only then is it worth making.
func (s *some) room() bool {
	s.n++
	return s.n <= maxFindings
}

func (s *some) add(f Finding) { s.list = append(s.list, f) }

// all gives the findings; the last says how many more there were.
func (s *some) all() []Finding {
	if s.n > maxFindings {
		last := &s.list[maxFindings-1]
		*last = finding(last.Code, "").observed(s.n - maxFindings + 1).saying("and so are more places than are listed")
	}
	return s.list
}

// capped is some for findings that are made already.
func capped(list []Finding) []Finding {
	s := some{list: list[:min(len(list), maxFindings):min(len(list), maxFindings)], n: len(list)}
	return s.all()
}

// codesOf gives the codes of findings, in order.
func codesOf(list []Finding) []Code {
	codes := make([]Code, len(list))
	for i, f := range list {
		codes[i] = f.Code
	}
	return codes
}
