package atomicfile

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"time"
)

// DefaultWait is how long a lock is waited for where the caller says 0.
const DefaultWait = 30 * time.Second

// Lock takes the exclusive lock of a folder and gives the function that releases it. It waits at most wait (0 means
// DefaultWait, less than 0 not at all) and then fails with ErrLocked. The lock belongs to this call: a second one in
// the same process waits like any other, and Update, Write and Create take it by themselves. It dies with the process.
// On Unix it is flock on the folder and leaves nothing behind; on Windows it is LockFileEx on a file in it.
func Lock(folder string, wait time.Duration) (unlock func() error, err error) {
	dir, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	return lockIn(dir, folder, wait)
}

func lockIn(dir *os.Root, path string, wait time.Duration) (unlock func() error, err error) {
	if wait == 0 {
		wait = DefaultWait
	}
	f, err := openLock(dir)
	if err != nil {
		return nil, &fs.PathError{Op: "lock", Path: path, Err: Cause(err)}
	}
	for start := time.Now(); ; {
		locked, err := tryLock(f)
		if locked {
			return f.Close, nil
		}
		waited := time.Since(start)
		if err == nil && waited >= wait {
			err = ErrLocked
		}
		if err != nil {
			_ = f.Close()
			return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
		}
		time.Sleep(step(waited))
	}
}

// step is how long a waiter sleeps before it looks again. The system cannot wait for a lock with a deadline, so nobody is
// served in turn; who has waited longer looks more often, so that nobody starves. Random steps keep many waiters from
// marching in line.
func step(waited time.Duration) time.Duration {
	const first, last, after = 5 * time.Millisecond, 200 * time.Microsecond, 5 * time.Second
	longest := max(last, first-time.Duration(float64(first)*float64(waited)/float64(after)))
	return longest/5 + rand.N(longest)
}
