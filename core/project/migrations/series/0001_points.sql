-- The points of one run. A lane is one series in one session; its points are numbered from 0 in the order of arrival.
CREATE TABLE session (
    number         INTEGER PRIMARY KEY,
    from_iteration INTEGER NOT NULL,
    wall           INTEGER NOT NULL  -- microseconds since 1970 UTC
);

CREATE TABLE series (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE lane (
    id      INTEGER PRIMARY KEY,
    series  INTEGER NOT NULL REFERENCES series(id),
    session INTEGER NOT NULL REFERENCES session(number),
    UNIQUE (series, session)
);

-- Full chunks of 1 024 points: chunk n holds the points from 1 024 n on. See PointCodec.h.
CREATE TABLE chunk (
    lane   INTEGER NOT NULL REFERENCES lane(id),
    number INTEGER NOT NULL,
    data   BLOB    NOT NULL,
    PRIMARY KEY (lane, number)
);

-- The points after the last full chunk, a row for each transaction; replaced by a chunk when there are enough.
CREATE TABLE tail (
    lane  INTEGER NOT NULL REFERENCES lane(id),
    first INTEGER NOT NULL,          -- number of its first point
    data  BLOB    NOT NULL,
    PRIMARY KEY (lane, first)
);

-- Buckets over the full chunks, 64 a row: level 1 sums up 16 points, every further level four of the one below.
CREATE TABLE pyramid (
    lane   INTEGER NOT NULL REFERENCES lane(id),
    level  INTEGER NOT NULL,
    number INTEGER NOT NULL,         -- row n holds the buckets from 64 n on
    data   BLOB    NOT NULL,
    PRIMARY KEY (lane, level, number)
);

-- The parameters' names, stored once for each set of them.
CREATE TABLE parameter_set (
    id    INTEGER PRIMARY KEY,
    names TEXT NOT NULL UNIQUE       -- JSON list
);

CREATE TABLE statistics (
    session       INTEGER NOT NULL REFERENCES session(number),
    iteration     INTEGER NOT NULL,
    parameter_set INTEGER NOT NULL REFERENCES parameter_set(id),
    data          BLOB    NOT NULL,
    PRIMARY KEY (session, iteration)
);
