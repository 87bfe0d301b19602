package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"example.com/ambit/systempolicy/engine"
)

// Signals gives what the signals of an environment amount to.
func (s *Store) Signals(ctx context.Context, system, environment string) (engine.Signals, error) {
	return signals(s.plain(ctx), system, environment)
}

// ChangeSignals changes that, atomically and durably.
func (s *Store) ChangeSignals(ctx context.Context, system, environment string, change func(engine.Signals) (engine.Signals, error)) error {
	return s.scoped(ctx, system, environment, func(q queries) error {
		state, err := signals(q, system, environment)
		if err != nil {
			return err
		}
		if state, err = change(state); err != nil {
			return err
		}
		text, err := json.Marshal(state)
		if err != nil {
			return err
		}
		_, err = q.exec(`INSERT INTO signals (system, environment, state) VALUES (?, ?, ?)
			ON CONFLICT (system, environment) DO UPDATE SET state = excluded.state`, system, environment, string(text))
		return err
	})
}

// signals reads the state. One that cannot be read is an error: guessing it away could lift a pause.
func signals(q queries, system, environment string) (engine.Signals, error) {
	var state engine.Signals
	var text string
	err := q.row("SELECT state FROM signals WHERE system = ? AND environment = ?", []any{system, environment}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return state, nil
	}
	if err != nil {
		return state, err
	}
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return engine.Signals{}, fmt.Errorf("signals of %s/%s: %w", system, environment, err)
	}
	return state, nil
}
