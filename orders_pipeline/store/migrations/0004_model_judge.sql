-- panel: the judges, joined by commas, that the parse owed a verdict when this one was given; NULL in files of before.
ALTER TABLE verdicts ADD COLUMN panel VARCHAR;
ALTER TABLE verdicts ADD COLUMN confidence DOUBLE;

-- Every call of a model, by the local day on which it was made. cost is NULL without configured prices.
CREATE TABLE model_calls (
    day DATE NOT NULL, call_id VARCHAR NOT NULL, purpose VARCHAR NOT NULL, subject VARCHAR NOT NULL, model VARCHAR NOT NULL,
    started_at TIMESTAMPTZ NOT NULL, seconds DOUBLE NOT NULL, input_tokens BIGINT NOT NULL, output_tokens BIGINT NOT NULL,
    estimated BOOLEAN NOT NULL, cost DECIMAL(18, 8), fault VARCHAR NOT NULL, error VARCHAR NOT NULL
);
