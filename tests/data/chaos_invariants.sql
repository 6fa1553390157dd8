-- Each counts what breaks the rule in its heading.

-- # a text that is answered has a turn that is done
SELECT count(*) FROM messages LEFT JOIN turns ON turns.id = messages.turn_id
WHERE direction = 'in' AND messages.state = 'answered' AND turns.state IS NOT 'done'

-- # a turn that is done has its reply, and one first part of it
SELECT count(*) FROM turns WHERE state = 'done' AND 1 != (
    SELECT count(*) FROM messages WHERE turn_id = turns.id AND direction = 'out' AND part = 1)

-- # a turn that is under way has no reply yet
SELECT count(*) FROM turns JOIN messages ON messages.turn_id = turns.id
WHERE turns.state != 'done' AND direction = 'out'

-- # a text that was sent has the carrier's id
SELECT count(*) FROM messages WHERE direction = 'out' AND state = 'sent' AND sid IS NULL

-- # a fact knows the text that it comes from
SELECT count(*) FROM facts WHERE message_id IS NULL

-- # each live fact is in the index, and nothing else is
SELECT (SELECT count(*) FROM facts WHERE retired_at IS NULL)
    != (SELECT coalesce(sum(length(documents)) / 20, 0) FROM word_documents WHERE id >> 30 & 3 = 1)

-- # each change of memory belongs to one call of a tool
SELECT count(*) FROM changes WHERE verb = 'remember' AND call IS NULL

-- # each fact was learned by one change
SELECT count(*) FROM facts WHERE 1 != (SELECT count(*) FROM change_items WHERE added_fact_id = facts.id)
