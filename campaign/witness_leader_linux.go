package campaign

import (
	"os"
	"os/exec"
	"syscall"
)

// leader is the first process of a namespace: it waits for a line that never comes, and all others end with it.
type leader struct {
	pid  int
	hold *os.File // its standard input, which ends with us
}

const leaderShell = "/bin/sh"

// lead makes a process namespace for what this thread starts from now on; left says that there is no way back. os/exec is
// not used: it may start a process of its own first, and that would be the leader.
func lead() (l *leader, left bool, err error) {
	if _, err = exec.LookPath(leaderShell); err != nil {
		return nil, false, err
	}
	in, hold, err := os.Pipe()
	if err != nil {
		return nil, false, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err == nil {
		if err = syscall.Unshare(syscall.CLONE_NEWPID); err == nil {
			left = true
			l = &leader{hold: hold}
			l.pid, err = syscall.ForkExec(leaderShell, []string{"sh", "-c", "read _"}, &syscall.ProcAttr{
				Dir: "/", Env: []string{}, Files: []uintptr{in.Fd(), null.Fd(), null.Fd()},
				Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
			})
		}
		_ = null.Close()
	}
	_ = in.Close()
	if err != nil {
		_ = hold.Close()
		return nil, left, err
	}
	return l, left, nil
}

// end ends the namespace and everything in it.
func (l *leader) end() {
	if l == nil {
		return
	}
	_ = syscall.Kill(l.pid, syscall.SIGKILL)
	for {
		if _, err := syscall.Wait4(l.pid, nil, 0, nil); err != syscall.EINTR {
			break
		}
	}
	_ = l.hold.Close()
}
