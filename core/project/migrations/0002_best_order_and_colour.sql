-- The best checkpoint is the one that became best last on the current branch. Keeping the order instead of a mark gives
-- the earlier best back when a resume abandons, or a person deletes, the later one.
ALTER TABLE checkpoint ADD COLUMN best_order INTEGER; -- NULL: never was the best
UPDATE checkpoint SET best_order = 1 WHERE is_best;
ALTER TABLE checkpoint DROP COLUMN is_best;
CREATE INDEX best_of_run ON checkpoint(run, best_order) WHERE best_order IS NOT NULL;

-- A run keeps its series colour on every page.
ALTER TABLE run ADD COLUMN colour INTEGER NOT NULL DEFAULT 0;
UPDATE run SET colour = id - 1;
