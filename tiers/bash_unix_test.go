//go:build unix

package tiers

import (
	"os/exec"
	"syscall"
)

// killGroup makes the end of the command the end of everything that it started.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
