//go:build !unix

package campaign

import "os"

// start runs the program. There is nothing here to hold its descendants, and the observation says so.
func (p program) start() (*started, error) {
	s := &started{done: make(chan struct{}), containment: "process", cmd: p.command()}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.wait()
	return s, nil
}

func settle(int) bool { return false }

func killGroup(p *os.Process) { _ = p.Kill() }

func (s *started) sweep(string) {}

// leader is not needed here: there is no process namespace.
type leader struct{}

func (*leader) end() {}
