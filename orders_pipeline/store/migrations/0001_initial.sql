-- No primary keys on tables that grow with the mail: at ten years of 20 messages a day a key makes the commit of a day
-- 66 ms instead of 22 and the file five times larger. One writer at a time and delete-then-insert keep rows unique.

CREATE TABLE store_meta (key VARCHAR NOT NULL, value VARCHAR NOT NULL);

-- Archive files that the tables know.
CREATE TABLE archive_files (path VARCHAR NOT NULL, kind VARCHAR NOT NULL, day DATE);

-- One row a message; the first placement fixes the day; a NULL day is unplaced.
CREATE TABLE messages (
    message_id VARCHAR NOT NULL, day DATE, received_at TIMESTAMPTZ, size BIGINT NOT NULL,
    mailbox VARCHAR NOT NULL, archive_file VARCHAR NOT NULL, saved_at TIMESTAMPTZ NOT NULL
);
CREATE TABLE locations (mailbox VARCHAR NOT NULL, location VARCHAR NOT NULL, message_id VARCHAR NOT NULL);

-- The last complete listing of a mailbox for a day, and the failures since.
CREATE TABLE listings (
    mailbox VARCHAR NOT NULL, day DATE NOT NULL, listed_at TIMESTAMPTZ, messages BIGINT, listing_digest VARCHAR,
    missing BIGINT NOT NULL, tried_at TIMESTAMPTZ, failed_at TIMESTAMPTZ, error VARCHAR
);

-- Units that are not simply done. unit: a location for fetching, a message id for parsing and review.
CREATE TABLE units (
    stage VARCHAR NOT NULL, day DATE, mailbox VARCHAR, unit VARCHAR NOT NULL, state VARCHAR NOT NULL,
    tries INTEGER NOT NULL, error VARCHAR, tried_at TIMESTAMPTZ, next_try_at TIMESTAMPTZ
);

CREATE TABLE parse_outcomes (
    day DATE NOT NULL, message_id VARCHAR NOT NULL, outcome VARCHAR NOT NULL, reason VARCHAR NOT NULL,
    received_at TIMESTAMPTZ NOT NULL, sent_at TIMESTAMPTZ, sender VARCHAR NOT NULL, sender_domain VARCHAR NOT NULL,
    subject VARCHAR NOT NULL, language VARCHAR, orders INTEGER NOT NULL, order_words JSON NOT NULL, defects JSON NOT NULL,
    result JSON NOT NULL, canonical_digest VARCHAR NOT NULL, template_digest VARCHAR NOT NULL,
    parse_digest VARCHAR NOT NULL, parser_version VARCHAR NOT NULL
);
CREATE TABLE parsed_orders (
    day DATE NOT NULL, message_id VARCHAR NOT NULL, position INTEGER NOT NULL, received_at TIMESTAMPTZ NOT NULL,
    merchant VARCHAR, order_number VARCHAR, tracking_numbers VARCHAR[] NOT NULL, carrier VARCHAR, status VARCHAR,
    total DECIMAL(18, 4), currency VARCHAR, subtotal DECIMAL(18, 4), shipping DECIMAL(18, 4), tax DECIMAL(18, 4),
    discount DECIMAL(18, 4), expected_delivery DATE, items JSON NOT NULL, evidence JSON NOT NULL
);

CREATE TABLE verdicts (
    day DATE NOT NULL, message_id VARCHAR NOT NULL, parse_digest VARCHAR NOT NULL, judge VARCHAR NOT NULL,
    judge_version VARCHAR NOT NULL, suspect BOOLEAN NOT NULL, reasons JSON NOT NULL, judged_at TIMESTAMPTZ NOT NULL,
    archive_file VARCHAR NOT NULL
);
CREATE TABLE proposed_eval_cases (
    day DATE NOT NULL, case_id VARCHAR NOT NULL, message_id VARCHAR NOT NULL, canonical_digest VARCHAR NOT NULL,
    template_digest VARCHAR NOT NULL, sender_domain VARCHAR NOT NULL, outcome VARCHAR NOT NULL, reasons JSON NOT NULL,
    strength DOUBLE NOT NULL, produced JSON NOT NULL, judge VARCHAR NOT NULL, duplicates VARCHAR[] NOT NULL
);

-- The ledger: a stage of a day is done when its digests chain and no unit is open.
CREATE TABLE stage_days (
    stage VARCHAR NOT NULL, day DATE NOT NULL, input_digest VARCHAR NOT NULL, output_digest VARCHAR NOT NULL,
    row_count BIGINT NOT NULL, version VARCHAR NOT NULL, first_done_at TIMESTAMPTZ NOT NULL, committed_at TIMESTAMPTZ NOT NULL,
    run_id VARCHAR
);
-- Tries of a day as a whole; recorded before the work, gone when the day is done.
CREATE TABLE day_tries (
    day DATE NOT NULL, tries INTEGER NOT NULL, started_at TIMESTAMPTZ NOT NULL, stage VARCHAR, error VARCHAR,
    next_try_at TIMESTAMPTZ
);

-- What people decided.
CREATE TABLE acts (
    act_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, subject VARCHAR NOT NULL, payload JSON NOT NULL, who VARCHAR NOT NULL,
    acted_at TIMESTAMPTZ NOT NULL
);

-- Current state, computed whole from all days.
CREATE TABLE orders (
    order_id VARCHAR NOT NULL, merchant VARCHAR, order_number VARCHAR, status VARCHAR, ordered_at TIMESTAMPTZ,
    last_event_at TIMESTAMPTZ NOT NULL, total DECIMAL(18, 4), currency VARCHAR, expected_delivery DATE,
    status_at TIMESTAMPTZ, delivered_at TIMESTAMPTZ, shipments INTEGER NOT NULL, items INTEGER NOT NULL, message_ids VARCHAR[] NOT NULL
);
CREATE TABLE shipments (
    order_id VARCHAR NOT NULL, tracking_number VARCHAR, carrier VARCHAR, status VARCHAR, expected_delivery DATE,
    last_event_at TIMESTAMPTZ NOT NULL
);
CREATE TABLE order_alerts (
    alert_id VARCHAR NOT NULL, order_id VARCHAR NOT NULL, kind VARCHAR NOT NULL, since DATE NOT NULL, detail VARCHAR NOT NULL
);
CREATE TABLE case_queue (
    position INTEGER NOT NULL, day DATE NOT NULL, case_id VARCHAR NOT NULL, message_id VARCHAR NOT NULL,
    sender_domain VARCHAR NOT NULL, template_digest VARCHAR NOT NULL, group_size INTEGER NOT NULL, score DOUBLE NOT NULL,
    reasons JSON NOT NULL
);
CREATE TABLE refreshes (name VARCHAR NOT NULL, input_digest VARCHAR NOT NULL, row_count BIGINT NOT NULL, refreshed_at TIMESTAMPTZ NOT NULL);

CREATE VIEW case_decisions AS
    SELECT act_id, subject AS case_id, payload ->> '$.decision' AS decision, payload -> '$.snapshot' AS snapshot,
        payload ->> '$.note' AS note, who, acted_at AS decided_at
    FROM acts WHERE kind = 'decision';

-- A case with its state: the last decision stands, and an accepted case stays when a better parser no longer proposes it.
CREATE VIEW eval_cases AS
    WITH last_decision AS (
        SELECT * FROM case_decisions QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY decided_at DESC, act_id DESC) = 1
    ),
    daily AS (
        SELECT case_id, day, message_id, sender_domain, outcome, reasons, produced FROM proposed_eval_cases
        QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY day) = 1
    ),
    proposed AS (
        FROM daily
        UNION ALL BY NAME
        -- Only the comparison of days brought these up.
        SELECT q.case_id, q.day, q.message_id, q.sender_domain, o.outcome, q.reasons, o.result AS produced
        FROM case_queue q JOIN parse_outcomes o ON o.day = q.day AND o.message_id = q.message_id
        WHERE q.case_id NOT IN (SELECT case_id FROM daily)
    )
    SELECT
        coalesce(p.case_id, d.case_id) AS case_id, coalesce(d.decision, 'proposed') AS state,
        coalesce(p.day, (d.snapshot ->> '$.day')::DATE) AS day, coalesce(p.message_id, d.snapshot ->> '$.message_id') AS message_id,
        coalesce(p.sender_domain, d.snapshot ->> '$.sender_domain') AS sender_domain,
        coalesce(p.outcome, d.snapshot ->> '$.outcome') AS outcome,
        coalesce(p.reasons, d.snapshot -> '$.reasons') AS reasons, coalesce(p.produced, d.snapshot -> '$.produced') AS produced,
        d.snapshot -> '$.expected' AS expected, d.note AS note, d.who AS decided_by, d.decided_at AS decided_at,
        p.case_id IS NOT NULL AS still_proposed
    FROM proposed p FULL JOIN last_decision d ON p.case_id = d.case_id;
