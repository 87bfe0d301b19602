package forge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Unready is why a pull request was not approved: it is not one to merge, or its checks did not all pass.
type Unready struct {
	Why     string  // closed, draft, merged, moved, no-checks, failed, pending
	Checks  []Check // those that failed or are not done
	Message string  // for people
}

// Error gives Message.
func (u *Unready) Error() string { return u.Message }

// Approve approves a pull request and merges it, once every check on its head has passed: it looks again until they have or ctx
// ends, approves nothing before that, and merges only the head that the checks ran on. A pull request without any check is
// refused. // U11
func Approve(ctx context.Context, f Forge, repo Repo, number int, poll time.Duration) (Pull, error) {
	name := fmt.Sprintf("%s#%d", repo, number)
	p, err := f.Pull(ctx, repo, number)
	if err != nil {
		return Pull{}, err
	}
	switch {
	case p.Merged:
		return p, &Unready{Why: "merged", Message: name + " is merged already"}
	case p.State != "open":
		return p, &Unready{Why: "closed", Message: name + " is not open"}
	case p.Draft:
		return p, &Unready{Why: "draft", Message: name + " is a draft"}
	case p.Head == "":
		return p, errors.New("the forge does not name the head of " + name)
	}
	if poll == 0 {
		poll = 2 * time.Second
	}
	var pending []Check
	for {
		checks, err := f.Checks(ctx, repo, p.Head)
		if err != nil && ctx.Err() != nil && len(pending) > 0 {
			return p, waiting(name, pending)
		}
		if err != nil {
			return p, err
		}
		failed := slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return !c.Done || c.Passed })
		pending = slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return c.Done })
		switch {
		case len(failed) > 0:
			return p, &Unready{Why: "failed", Checks: failed, Message: name + ": failed: " + names(failed)}
		case len(checks) == 0:
			return p, &Unready{Why: "no-checks", Message: name + ": nothing has checked its head, so nothing has passed"}
		case len(pending) == 0:
			return merge(ctx, f, repo, number, p)
		}
		select {
		case <-ctx.Done():
			return p, waiting(name, pending)
		case <-time.After(poll):
		}
	}
}

func waiting(name string, pending []Check) *Unready {
	return &Unready{Why: "pending", Checks: pending, Message: name + ": not done: " + names(pending)}
}

func merge(ctx context.Context, f Forge, repo Repo, number int, p Pull) (Pull, error) {
	if err := f.Approve(ctx, repo, number, p.Head); err != nil {
		return p, fmt.Errorf("not approved: %w", err)
	}
	commit, err := f.Merge(ctx, repo, number, p.Head)
	if errors.Is(err, ErrMoved) {
		return p, &Unready{Why: "moved", Message: fmt.Sprintf("%s#%d: approved at %.12s, not merged: %v", repo, number, p.Head, err)}
	}
	if err != nil {
		return p, fmt.Errorf("approved, not merged: %w", err)
	}
	p.Merged, p.State, p.Commit = true, "closed", commit
	return p, nil
}

func names(checks []Check) string {
	var out []string
	for _, c := range checks {
		out = append(out, fmt.Sprintf("%s (%s)", c.Name, c.Said))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
