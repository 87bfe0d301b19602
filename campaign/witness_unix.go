//go:build unix

package campaign

import (
	"os"
	"syscall"
)

// killGroup ends a process and the group that it leads.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	_ = p.Kill()
}
