-- The rows that a transcript shows after each scene, by heading.

-- # people
SELECT p.address AS who, name, timezone, timezone_source AS zone_is, access, opted_out_at AS opted_out,
    stop_text_id IS NOT NULL AS asked_what_to_stop, quiet_hours, paused_at, paused_until, away_until, home_timezone,
    unreachable FROM people p ORDER BY p.id

-- # consents
SELECT p.address AS who, CASE WHEN agrees THEN 'agrees' ELSE 'refuses' END AS state, how, words
    FROM consents c JOIN people p ON p.id = c.person_id ORDER BY c.id

-- # facts
SELECT p.address AS who, f.number || '.' || version AS "#", sentence AS bare,
    CASE WHEN retired_at IS NOT NULL THEN 'retired' WHEN archived_at IS NOT NULL THEN 'archived' ELSE 'held' END
    AS state,
    category, source, round(CAST(confidence AS numeric), 2) AS confidence,
    round(CAST(importance AS numeric), 2) AS importance,
    nullif(times_told, 1) AS told, quote, pinned, passing, valid_from, valid_to, expires_at, use_count AS used,
    merged_into FROM facts f JOIN people p ON p.id = f.person_id ORDER BY p.id, f.number, version

-- # pairs of facts
SELECT a.number || ' and ' || b.number AS "#", kind, round(CAST(likeness AS numeric), 2)
    AS likeness
    FROM fact_pairs x JOIN facts a ON a.id = x.fact_id JOIN facts b ON b.id = x.other_id
    WHERE a.number < b.number ORDER BY a.id, b.id

-- # rules
SELECT p.address AS who, r.number || '.' || version AS "#", procedure AS bare, trigger_kind, "trigger",
    CASE WHEN retired_at IS NULL THEN state ELSE 'retired, was ' || state END AS state, source, quote
    FROM rules r JOIN people p ON p.id = r.person_id ORDER BY p.id, r.number, version

-- # routines
SELECT p.address AS who, r.number AS "#", does, words AS bare, schedule, zone, state, next_due_at,
    at_night, useful_minutes AS useful, source, quote FROM routines r JOIN people p ON p.id = r.person_id
    ORDER BY p.id, r.number

-- # occurrences
SELECT p.address AS who, r.number AS "#", due_at AS bare, o.state, reason, snoozed_to,
    late_seconds
    FROM occurrences o JOIN routines r ON r.id = o.routine_id JOIN people p ON p.id = o.person_id
    ORDER BY due_at, o.id

-- # suggestions
SELECT p.address AS who, kind, words AS bare, times, schedule, procedure, state, reason,
    made_number
    FROM suggestions s JOIN people p ON p.id = s.person_id ORDER BY s.id

-- # episodes
SELECT p.address AS who, e.number || '.' || version AS "#", summary AS bare,
    CASE WHEN retired_at IS NULL THEN 'live' ELSE 'retired' END AS state, "trigger", narrative, topics, key_facts,
    round(CAST(importance AS numeric), 2) AS importance,
    message_count AS messages, written_by, note, use_count AS used
    FROM episodes e JOIN people p ON p.id = e.person_id ORDER BY p.id, e.number, version

-- # changes
SELECT p.address AS who, c.id AS "#", actor, verb, undone_at IS NOT NULL AS undone,
    fa.number || '.' || fa.version AS added_fact, fr.number || '.' || fr.version AS retired_fact,
    e.number AS retired_episode, ra.number || '.' || ra.version AS added_rule,
    rr.number || '.' || rr.version AS retired_rule, field, f.number AS of_fact, r.number AS of_routine,
    before, after FROM changes c JOIN people p ON p.id = c.person_id LEFT JOIN change_items i ON i.change_id = c.id
    LEFT JOIN facts fa ON fa.id = added_fact_id LEFT JOIN facts fr ON fr.id = retired_fact_id
    LEFT JOIN episodes e ON e.id = retired_episode_id LEFT JOIN rules ra ON ra.id = added_rule_id
    LEFT JOIN rules rr ON rr.id = retired_rule_id LEFT JOIN facts f ON f.id = i.fact_id
    LEFT JOIN routines r ON r.id = i.routine_id ORDER BY c.id, i.id

-- # calendars
SELECT p.address AS who, c.name FROM calendars c JOIN people p ON p.id = c.person_id ORDER BY c.id

-- # turns
SELECT p.address AS who, kind, state, outcome, count(*) AS turns, sum(model_calls) AS model_calls
    FROM turns t JOIN people p ON p.id = t.person_id GROUP BY p.id, kind, state, outcome ORDER BY 1, 2, 3, 4

-- # messages
SELECT p.address AS who, direction, nullif(purpose, 'reply') AS purpose, state, delivery,
    carrier_code, note, count(*) AS messages, sum(segments) AS segments
    FROM messages m JOIN people p ON p.id = m.person_id
    GROUP BY p.id, direction, purpose, state, delivery, carrier_code, note
    ORDER BY 1, 2, 3 NULLS FIRST, 4, 5 NULLS FIRST, 6 NULLS FIRST, 7 NULLS FIRST

-- # notices
SELECT p.address AS who, kind, at FROM notices n JOIN people p ON p.id = n.person_id ORDER BY kind, at

-- # alerts
SELECT kind, times, cleared_at, sentence FROM alerts ORDER BY id
