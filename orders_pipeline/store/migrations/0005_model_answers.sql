-- What a model read in mails that no rule reads. The last answer on a message stands.
CREATE TABLE model_answers (
    day DATE NOT NULL, message_id VARCHAR NOT NULL, version VARCHAR NOT NULL, answer JSON NOT NULL,
    answered_at TIMESTAMPTZ NOT NULL, archive_file VARCHAR NOT NULL
);
