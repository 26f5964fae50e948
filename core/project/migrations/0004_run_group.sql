-- Runs that belong together carry the name of their group; empty is none.
ALTER TABLE run ADD COLUMN run_group TEXT NOT NULL DEFAULT '';

-- The newest evaluation of every run is asked for with each list of runs.
CREATE INDEX newest_evaluation ON evaluation(run, id);
