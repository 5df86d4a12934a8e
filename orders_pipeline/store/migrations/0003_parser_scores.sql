-- How the parser did on the golden set, one row a change of parser, settings or set. What was broken is held against the
-- last row in which nothing was. The report has verdicts, and no text of any mail.
CREATE TABLE parser_scores (
    scored_at TIMESTAMPTZ NOT NULL, run_id VARCHAR, parser VARCHAR NOT NULL, input_digest VARCHAR NOT NULL,
    cases BIGINT NOT NULL, unusable BIGINT NOT NULL, orders BIGINT NOT NULL, exact BIGINT NOT NULL, faulty BIGINT NOT NULL,
    false_alarms BIGINT NOT NULL, "precision" DOUBLE, recall DOUBLE, f1 DOUBLE, "right" BIGINT NOT NULL, wrong BIGINT NOT NULL,
    missed BIGINT NOT NULL, surplus BIGINT NOT NULL, fixed BIGINT NOT NULL, broken BIGINT NOT NULL, report JSON NOT NULL
);
