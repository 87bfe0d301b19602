package eventlog

import (
	"context"
	"database/sql"
)

// schemaVersion is the file's user_version. A later layout adds a step to migrations and never changes an old one.
const schemaVersion = 1

var migrations = [schemaVersion]string{
	`CREATE TABLE events(
		id INTEGER PRIMARY KEY,
		event_type TEXT NOT NULL,
		level TEXT NOT NULL,
		topic TEXT NOT NULL,
		message TEXT NOT NULL,
		agent TEXT NOT NULL,
		meta TEXT,
		created_at TEXT NOT NULL);
	CREATE INDEX events_by_type ON events(event_type, created_at);
	CREATE INDEX events_by_time ON events(created_at);
	PRAGMA user_version = 1;`,
}

// migrate brings the file to schemaVersion. Whoever comes first does it; the others wait and find it done.
func migrate(ctx context.Context, conn *sql.Conn) error {
	version, err := checkVersion(ctx, conn)
	if err != nil || version == schemaVersion {
		return err
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for ; version < schemaVersion; version++ {
		if _, err := tx.ExecContext(ctx, migrations[version]); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// checkVersion gives the file's version, ErrNewer for one that this program does not know, and ErrForeign for a
// database without a version that holds something already: it is another program's.
func checkVersion(ctx context.Context, conn *sql.Conn) (int, error) {
	var version, tables int
	err := conn.QueryRowContext(ctx, "SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)").Scan(&version, &tables)
	switch {
	case err != nil:
		return 0, err
	case version > schemaVersion:
		return 0, ErrNewer
	case version == 0 && tables > 0:
		return 0, ErrForeign
	}
	return version, nil
}
