-- A project as version 1 of the schema left it: two runs, the first with two checkpoints of which the second was the
-- best, a fine-tune of it, an event, an evaluation, tags and a setting. Stored once; never edited.
CREATE TABLE run (id INTEGER PRIMARY KEY AUTOINCREMENT, folder TEXT NOT NULL UNIQUE, name TEXT NOT NULL, model_type TEXT NOT NULL DEFAULT '', task TEXT NOT NULL DEFAULT '', status INTEGER NOT NULL DEFAULT 0, iteration INTEGER NOT NULL DEFAULT 0, iterations INTEGER NOT NULL DEFAULT 0, loss REAL DEFAULT 0, seconds REAL DEFAULT 0, created INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0, best_metric REAL, best_metric_name TEXT NOT NULL DEFAULT '', parent_checkpoint INTEGER REFERENCES checkpoint(id) ON DELETE SET NULL, notes TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '', is_deleted INTEGER NOT NULL DEFAULT 0, config TEXT NOT NULL DEFAULT '', overrides TEXT NOT NULL DEFAULT '[]', seed TEXT NOT NULL DEFAULT '0', code_version TEXT NOT NULL DEFAULT '', libraries TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '', data_fingerprint TEXT NOT NULL DEFAULT '');
CREATE TABLE tag (run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID;
CREATE TABLE session (run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL, from_iteration INTEGER NOT NULL, wall INTEGER NOT NULL, PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE TABLE checkpoint (id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, session INTEGER NOT NULL DEFAULT 0, iteration INTEGER NOT NULL, path TEXT NOT NULL, bytes INTEGER NOT NULL DEFAULT 0, wall INTEGER NOT NULL DEFAULT 0, metric REAL, is_pinned INTEGER NOT NULL DEFAULT 0, is_best INTEGER NOT NULL DEFAULT 0, is_final INTEGER NOT NULL DEFAULT 0, is_abandoned INTEGER NOT NULL DEFAULT 0, is_deleted INTEGER NOT NULL DEFAULT 0, UNIQUE (run, path));
CREATE TABLE event (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, kind INTEGER NOT NULL, iteration INTEGER NOT NULL DEFAULT 0, wall INTEGER NOT NULL DEFAULT 0, text TEXT NOT NULL DEFAULT '');
CREATE INDEX event_of_run ON event(run);
CREATE TABLE evaluation (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, iteration INTEGER NOT NULL DEFAULT 0, seconds REAL, samples INTEGER NOT NULL DEFAULT 0, dataset TEXT NOT NULL DEFAULT '', wall INTEGER NOT NULL DEFAULT 0, metrics TEXT NOT NULL DEFAULT '[]');
CREATE INDEX evaluation_of_run ON evaluation(run);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

INSERT INTO run (id, folder, name, model_type, task, status, iteration, iterations, loss, seconds, created, updated, best_metric, best_metric_name, notes, config, overrides, seed) VALUES (1, 'runs/1-cells', 'cells', 'retinanet', 'detection', 6, 200, 200, 0.5, 60, 1000, 2000, 0.75, 'bbox/AP50', 'first', 'seed: 1', '["seed=1"]', '1');
INSERT INTO checkpoint (id, run, session, iteration, path, bytes, wall, metric, is_best) VALUES (1, 1, 1, 100, 'checkpoints/iteration-00000100.pth', 10, 1, 0.5, 0), (2, 1, 1, 200, 'checkpoints/iteration-00000200.pth', 10, 2, 0.75, 1);
INSERT INTO run (id, folder, name, status, created, updated, loss, parent_checkpoint) VALUES (2, 'runs/2-finer', 'finer', 5, 3000, 4000, NULL, 2);
INSERT INTO tag VALUES (1, 0, 'good'), (1, 1, 'small');
INSERT INTO session VALUES (1, 1, 0, 1000);
INSERT INTO event (run, kind, iteration, wall, text) VALUES (1, 11, 200, 2000, 'done');
INSERT INTO evaluation (run, iteration, seconds, samples, dataset, wall, metrics) VALUES (1, 200, 3, 72, 'test', 2000, '[["bbox/AP50",0.75]]');
INSERT INTO setting VALUES ('page', 'runs');
PRAGMA application_id = 1415135570;
PRAGMA user_version = 1;
