package campaign

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// ways are the ways to hold on to the builder and its descendants, the strongest first. With root the builder runs in a
// process namespace whose first process is ours, and the kernel ends every other with that one. Without root a namespace
// takes a user namespace, and then the builder itself is the first: a signal whose action is the default does not reach
// it there, so it survives a kill of its own. It ends with us, by Pdeathsig.
var ways = []struct {
	containment string
	leader      bool
	flags       uintptr
}{
	{"pid_namespace", true, 0},
	{"pid_namespace", false, syscall.CLONE_NEWPID | syscall.CLONE_NEWUSER},
	{"process_group+nonce", false, 0},
}

// start runs the program on an operating-system thread of its own, which is confined first and ends with the builder:
// a domain of Landlock holds for a thread and what it starts, and must not hold for the rest of the process.
func (p program) start() (*started, error) {
	s := &started{done: make(chan struct{})}
	result := make(chan error, 1)
	go ownThread(func() {
		err := p.begin(s)
		result <- err
		if err == nil {
			s.wait()
		}
	})
	return s, <-result
}

// ownThread calls f on a thread that no other goroutine will ever use. The process's first thread is never taken: it
// cannot end.
func ownThread(f func()) {
	runtime.LockOSThread()
	if syscall.Gettid() != syscall.Getpid() {
		f()
		return // still locked, so that the thread ends
	}
	done := make(chan struct{})
	go func() {
		ownThread(f)
		close(done)
	}()
	<-done
	runtime.UnlockOSThread()
}

func (p program) begin(s *started) error {
	if !p.unbound {
		s.abi, s.tcp = confine(p.scratch)
	}
	var err error
	for _, way := range ways[p.weaker:] {
		var first *leader
		if way.leader {
			var left bool
			if first, left, err = lead(); left && err != nil {
				return err // what this thread starts now would be the first process itself
			} else if err != nil {
				continue
			}
		}
		cmd := p.command()
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: way.flags, Setpgid: true}
		if first == nil {
			cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL // else the leader has it, and the builder cannot see its parent
		}
		if err = cmd.Start(); err == nil {
			s.cmd, s.containment, s.leader = cmd, way.containment, first
			return nil
		}
		if first != nil {
			first.end()
			return err
		}
	}
	return err
}

// Access rights by the level of Landlock that brought them. Everything that writes is handled, and allowed in the
// scratch folder alone.
const (
	writes = landlock.AccessFSWriteFile | landlock.AccessFSRemoveDir | landlock.AccessFSRemoveFile |
		landlock.AccessFSMakeChar | landlock.AccessFSMakeDir | landlock.AccessFSMakeReg | landlock.AccessFSMakeSock |
		landlock.AccessFSMakeFifo | landlock.AccessFSMakeBlock | landlock.AccessFSMakeSym
	writesFile = landlock.AccessFSWriteFile | landlock.AccessFSTruncate | landlock.AccessFSIoctlDev
	prSetNNP   = 38 // PR_SET_NO_NEW_PRIVS
	sysSelf    = 446
)

var levels = []struct {
	abi            int
	fs, net, scope uint64
}{
	{1, writes, 0, 0},
	{2, landlock.AccessFSRefer, 0, 0},
	{3, landlock.AccessFSTruncate, 0, 0},
	{4, 0, landlock.AccessNetBindTCP | landlock.AccessNetConnectTCP, 0},
	{5, landlock.AccessFSIoctlDev, 0, 0},
	{6, 0, 0, landlock.ScopeAbstractUnixSocket | landlock.ScopeSignal},
}

// confine puts this thread, and all that it starts, under Landlock: writing in scratch and to /dev/null, no TCP. It
// gives the level in force, 0 where the kernel has none or refuses.
func confine(scratch string) (abi int, tcp bool) {
	kernel, err := landlock.LandlockGetABIVersion()
	if err != nil || kernel < 1 {
		return 0, false
	}
	var attr landlock.RulesetAttr
	for _, l := range levels {
		if l.abi <= kernel {
			abi = l.abi
			attr.HandledAccessFS |= l.fs
			attr.HandledAccessNet |= l.net
			attr.Scoped |= l.scope
		}
	}
	set, err := landlock.LandlockCreateRuleset(&attr, 0)
	if err != nil {
		return 0, false
	}
	defer func() { _ = syscall.Close(set) }()
	if allow(set, scratch, attr.HandledAccessFS) != nil || allow(set, os.DevNull, attr.HandledAccessFS&writesFile) != nil {
		return 0, false
	}
	if _, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNNP, 1, 0, 0, 0, 0); e != 0 {
		return 0, false
	}
	if _, _, e := syscall.RawSyscall(sysSelf, uintptr(set), 0, 0); e != 0 {
		return 0, false
	}
	return abi, attr.HandledAccessNet != 0
}

// allow adds a rule for a path and all below it.
func allow(set int, path string, access uint64) error {
	const oPath = 0x200000
	fd, err := syscall.Open(path, oPath|syscall.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(fd) }()
	return landlock.LandlockAddPathBeneathRule(set, &landlock.PathBeneathAttr{AllowedAccess: access, ParentFd: fd}, 0)
}

// settle waits until a child has ended, and leaves it to be waited for.
func settle(pid int) bool {
	const pPID, wNoWait = 1, 0x1000000
	for {
		var info [128]byte
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(pid), uintptr(unsafe.Pointer(&info)), syscall.WEXITED|wNoWait, 0, 0)
		if e != syscall.EINTR {
			return e == 0
		}
	}
}

// sweep ends what left the process group, until there is nothing: every process whose environment carries the nonce.
// In a namespace the kernel has done so before the builder could be waited for. // P31, H16
func (s *started) sweep(nonce string) {
	if s.containment == "pid_namespace" {
		return
	}
	mark := []byte(nonceName + "=" + nonce)
	for end := time.Now().Add(grace); time.Now().Before(end); time.Sleep(time.Millisecond) {
		found := false
		environs, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range environs {
			env, err := os.ReadFile(file)
			if err != nil || !bytes.Contains(env, mark) {
				continue
			}
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err == nil && pid != os.Getpid() && !errors.Is(syscall.Kill(pid, syscall.SIGKILL), syscall.ESRCH) {
				found = true
			}
		}
		if !found {
			return
		}
	}
}
