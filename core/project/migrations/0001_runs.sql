-- Runs, what they made and what happened to them. Times are microseconds since 1970 UTC. A REAL that is NULL is "not a
-- number". Paths are relative: a run's folder to the project, a checkpoint's path to the run's folder.
CREATE TABLE run (
    id                INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
    folder            TEXT    NOT NULL UNIQUE,
    name              TEXT    NOT NULL,
    model_type        TEXT    NOT NULL DEFAULT '',
    task              TEXT    NOT NULL DEFAULT '',
    status            INTEGER NOT NULL DEFAULT 0,        -- RunStatus
    iteration         INTEGER NOT NULL DEFAULT 0,
    iterations        INTEGER NOT NULL DEFAULT 0,
    loss              REAL             DEFAULT 0,
    seconds           REAL             DEFAULT 0,
    created           INTEGER NOT NULL DEFAULT 0,
    updated           INTEGER NOT NULL DEFAULT 0,
    best_metric       REAL,
    best_metric_name  TEXT    NOT NULL DEFAULT '',
    parent_checkpoint INTEGER REFERENCES checkpoint(id) ON DELETE SET NULL,
    notes             TEXT    NOT NULL DEFAULT '',
    error             TEXT    NOT NULL DEFAULT '',
    is_deleted        INTEGER NOT NULL DEFAULT 0,
    config            TEXT    NOT NULL DEFAULT '',       -- resolved YAML
    overrides         TEXT    NOT NULL DEFAULT '[]',     -- JSON list of text
    seed              TEXT    NOT NULL DEFAULT '0',      -- unsigned, 64 bits
    code_version      TEXT    NOT NULL DEFAULT '',
    libraries         TEXT    NOT NULL DEFAULT '',
    device            TEXT    NOT NULL DEFAULT '',
    data_fingerprint  TEXT    NOT NULL DEFAULT ''
);

CREATE TABLE tag (
    run      INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE TABLE session (
    run            INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    number         INTEGER NOT NULL,                     -- from 1
    from_iteration INTEGER NOT NULL,
    wall           INTEGER NOT NULL,
    PRIMARY KEY (run, number)
) WITHOUT ROWID;

CREATE TABLE checkpoint (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    run          INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    session      INTEGER NOT NULL DEFAULT 0,
    iteration    INTEGER NOT NULL,
    path         TEXT    NOT NULL,
    bytes        INTEGER NOT NULL DEFAULT 0,
    wall         INTEGER NOT NULL DEFAULT 0,
    metric       REAL,
    is_pinned    INTEGER NOT NULL DEFAULT 0,
    is_best      INTEGER NOT NULL DEFAULT 0,
    is_final     INTEGER NOT NULL DEFAULT 0,
    is_abandoned INTEGER NOT NULL DEFAULT 0,
    is_deleted   INTEGER NOT NULL DEFAULT 0,
    UNIQUE (run, path)
);

CREATE TABLE event (
    id        INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    kind      INTEGER NOT NULL,                          -- EventKind
    iteration INTEGER NOT NULL DEFAULT 0,
    wall      INTEGER NOT NULL DEFAULT 0,
    text      TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX event_of_run ON event(run);

CREATE TABLE evaluation (
    id        INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    iteration INTEGER NOT NULL DEFAULT 0,
    seconds   REAL,
    samples   INTEGER NOT NULL DEFAULT 0,
    dataset   TEXT    NOT NULL DEFAULT '',
    wall      INTEGER NOT NULL DEFAULT 0,
    metrics   TEXT    NOT NULL DEFAULT '[]'              -- JSON list of [name, value]
);
CREATE INDEX evaluation_of_run ON evaluation(run);

CREATE TABLE setting (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
