-- Named folders of data: a configuration names the root and a path below it, so that data that moves is re-pointed by one
-- row.
CREATE TABLE data_root (
    name   TEXT PRIMARY KEY,
    folder TEXT NOT NULL                                 -- absolute, or relative to the project where it lies inside
) WITHOUT ROWID;
