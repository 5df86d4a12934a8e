-- Undoing a decision is an act of its own that names the decision; nothing is deleted.

-- Every decision and every undo of one. A decision is undone when a later act says so; an undo never stands.
CREATE VIEW case_history AS
    SELECT act_id, subject AS case_id, CASE kind WHEN 'undo' THEN 'undone' ELSE payload ->> '$.decision' END AS decision,
        payload -> '$.snapshot' AS snapshot, payload ->> '$.note' AS note, who, acted_at AS decided_at,
        payload ->> '$.undoes' AS undoes, coalesce(act_id IN (SELECT payload ->> '$.undoes' FROM acts WHERE kind = 'undo'), false) AS undone
    FROM acts WHERE kind IN ('decision', 'undo');

-- The decisions that nobody took back.
CREATE OR REPLACE VIEW case_decisions AS
    SELECT act_id, case_id, decision, snapshot, note, who, decided_at FROM case_history WHERE undoes IS NULL AND NOT undone;

-- As before; and a case whose every decision was undone is proposed again, be it by the decision's snapshot alone.
CREATE OR REPLACE VIEW eval_cases AS
    WITH last_decision AS (
        SELECT * FROM case_history WHERE undoes IS NULL
        QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY undone, decided_at DESC, act_id DESC) = 1
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
        coalesce(p.case_id, d.case_id) AS case_id, CASE WHEN d.undone IS FALSE THEN d.decision ELSE 'proposed' END AS state,
        coalesce(p.day, (d.snapshot ->> '$.day')::DATE) AS day, coalesce(p.message_id, d.snapshot ->> '$.message_id') AS message_id,
        coalesce(p.sender_domain, d.snapshot ->> '$.sender_domain') AS sender_domain,
        coalesce(p.outcome, d.snapshot ->> '$.outcome') AS outcome,
        coalesce(p.reasons, d.snapshot -> '$.reasons') AS reasons, coalesce(p.produced, d.snapshot -> '$.produced') AS produced,
        CASE WHEN d.undone IS FALSE THEN d.snapshot -> '$.expected' END AS expected,
        CASE WHEN d.undone IS FALSE THEN d.note END AS note,
        CASE WHEN d.undone IS FALSE THEN d.who END AS decided_by,
        CASE WHEN d.undone IS FALSE THEN d.decided_at END AS decided_at,
        p.case_id IS NOT NULL AS still_proposed
    FROM proposed p FULL JOIN last_decision d ON p.case_id = d.case_id;
