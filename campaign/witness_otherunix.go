//go:build unix && !linux

package campaign

import "syscall"

// start runs the program in a process group of its own. There is no Landlock and no process namespace here, and the
// observation says so.
func (p program) start() (*started, error) {
	s := &started{done: make(chan struct{}), containment: "process_group", cmd: p.command()}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.wait()
	return s, nil
}

func settle(int) bool { return false }

// sweep has nothing to look at: other processes' environments cannot be read here.
func (s *started) sweep(string) {}

// leader is not needed here: there is no process namespace.
type leader struct{}

func (*leader) end() {}
