INSERT INTO people (id, address, key, timezone, timezone_source, access, told_to_wait, created_at)
VALUES (1, '+12065550100', 'k', 'UTC', 'unknown', 'waiting', 1, '2026-11-01 10:00:00');
INSERT INTO conversations (id, person_id, started_at, last_at)
VALUES (1, 1, '2026-11-01', '2026-11-01');
INSERT INTO turns (id, person_id, conversation_id, kind, carrier, state, owner, leased_until, started_at)
VALUES (1, 1, 1, 'reply', 'phone', 'done', 'host:1', '2026-11-01', '2026-11-01');
INSERT INTO messages (id, person_id, turn_id, direction, carrier, state, body, created_at)
VALUES (1, 1, 1, 'in', 'phone', 'answered', 'I like tea', '2026-11-01');
INSERT INTO facts (
    id, person_id, number, version, sentence, normalised, source, confidence, created_at, recorded_at, retired_at)
VALUES (5, 1, 1, 1, 'Likes coffee', 'likes coffee', 'explicit', 1, '2026-11-01', '2026-11-01', '2026-11-02'),
    (6, 1, 1, 2, 'Likes black tea', 'likes black tea', 'explicit', 1, '2026-11-01', '2026-11-02', NULL),
    (9, 1, 2, 1, 'Has two dogs', 'has two dogs', 'explicit', 1, '2026-11-01', '2026-11-03', NULL);
INSERT INTO tool_calls (turn_id, attempt, ordinal, name, input, result, is_error, at)
VALUES (1, 1, 1, 'a', '{}', '', 0, '2026-11-01'),
    (1, 2, 1, 'b', '{}', '', 0, '2026-11-01')
