-- The schema of migration 0035 on PostgreSQL, which begins here; later migrations hold for both databases.

CREATE TABLE alerts (
	id BIGSERIAL NOT NULL,
	kind VARCHAR NOT NULL,
	sentence VARCHAR NOT NULL,
	times BIGINT DEFAULT '1' NOT NULL,
	raised_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	last_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	cleared_at TIMESTAMP WITHOUT TIME ZONE,
	CONSTRAINT pk_alerts PRIMARY KEY (id)
);

CREATE UNIQUE INDEX uq_alerts_open ON alerts (kind) WHERE cleared_at IS NULL;

CREATE TABLE audit_entries (
	id BIGSERIAL NOT NULL,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	who VARCHAR NOT NULL,
	did VARCHAR NOT NULL,
	person_id BIGINT,
	about VARCHAR NOT NULL,
	reason VARCHAR NOT NULL,
	times BIGINT NOT NULL,
	shows BOOLEAN DEFAULT false NOT NULL,
	hash VARCHAR NOT NULL,
	CONSTRAINT pk_audit_entries PRIMARY KEY (id)
);

CREATE INDEX ix_audit_entries_outcomes ON audit_entries (about) WHERE did = 'not_done';

CREATE INDEX ix_audit_entries_at ON audit_entries (at);

CREATE INDEX ix_audit_entries_person_id_at ON audit_entries (person_id, at);

CREATE INDEX ix_audit_entries_who_at ON audit_entries (who, at);

CREATE INDEX ix_audit_entries_shown ON audit_entries (person_id, id) WHERE shows;

CREATE TABLE counted_hours (
	began VARCHAR NOT NULL,
	day VARCHAR NOT NULL,
	counted_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_counted_hours PRIMARY KEY (began)
);

CREATE TABLE counts (
	unit VARCHAR NOT NULL,
	began VARCHAR NOT NULL,
	figure VARCHAR NOT NULL,
	label VARCHAR NOT NULL,
	times BIGINT NOT NULL,
	total DOUBLE PRECISION DEFAULT '0' NOT NULL,
	shape JSON,
	CONSTRAINT pk_counts PRIMARY KEY (unit, began, figure, label),
	CONSTRAINT ck_counts_unit CHECK (unit IN ('hour', 'day', 'month'))
);

CREATE TABLE marks (
	name VARCHAR NOT NULL,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	number BIGINT DEFAULT '0' NOT NULL,
	note VARCHAR,
	CONSTRAINT pk_marks PRIMARY KEY (name)
);

CREATE TABLE operators (
	id BIGSERIAL NOT NULL,
	name VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	password_hash VARCHAR NOT NULL,
	must_change_password BOOLEAN DEFAULT false NOT NULL,
	generation BIGINT DEFAULT '1' NOT NULL,
	totp_secret VARCHAR,
	totp_step BIGINT DEFAULT '0' NOT NULL,
	failures BIGINT DEFAULT '0' NOT NULL,
	last_failure_at TIMESTAMP WITHOUT TIME ZONE,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_operators PRIMARY KEY (id),
	CONSTRAINT ck_operators_role CHECK (role IN ('owner', 'support')),
	CONSTRAINT uq_operators_name UNIQUE (name)
);

CREATE TABLE people (
	id BIGSERIAL NOT NULL,
	address VARCHAR NOT NULL,
	key VARCHAR NOT NULL,
	name VARCHAR,
	timezone VARCHAR NOT NULL,
	timezone_source VARCHAR NOT NULL,
	away_until TIMESTAMP WITHOUT TIME ZONE,
	home_timezone VARCHAR,
	home_timezone_source VARCHAR,
	access VARCHAR NOT NULL,
	opted_out_at TIMESTAMP WITHOUT TIME ZONE,
	stop_text_id BIGINT,
	undelivered BIGINT DEFAULT '0' NOT NULL,
	unreachable VARCHAR,
	last_text_id BIGINT DEFAULT '0' NOT NULL,
	last_fact_number BIGINT DEFAULT '0' NOT NULL,
	last_episode_number BIGINT DEFAULT '0' NOT NULL,
	last_rule_number BIGINT DEFAULT '0' NOT NULL,
	last_routine_number BIGINT DEFAULT '0' NOT NULL,
	quiet_hours VARCHAR,
	paused_at TIMESTAMP WITHOUT TIME ZONE,
	paused_until TIMESTAMP WITHOUT TIME ZONE,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_people PRIMARY KEY (id),
	CONSTRAINT ck_people_access CHECK (access IN ('allowed', 'waiting', 'blocked')),
	CONSTRAINT ck_people_timezone_source CHECK (timezone_source IN ('unknown', 'guessed', 'told')),
	CONSTRAINT uq_people_address UNIQUE (address),
	CONSTRAINT uq_people_key UNIQUE (key)
);

CREATE INDEX ix_people_away_until ON people (away_until) WHERE away_until IS NOT NULL;

CREATE INDEX ix_people_access_last_text_id ON people (access, last_text_id);

CREATE INDEX ix_people_paused_until ON people (paused_until) WHERE paused_until IS NOT NULL;

CREATE TABLE vector_models (
	id BIGSERIAL NOT NULL,
	name VARCHAR NOT NULL,
	dimension BIGINT NOT NULL,
	CONSTRAINT pk_vector_models PRIMARY KEY (id),
	CONSTRAINT ck_vector_models_dimension CHECK (dimension BETWEEN 1 AND 8192),
	CONSTRAINT uq_vector_models_name UNIQUE (name)
);

CREATE TABLE word_documents (
	id BIGINT NOT NULL,
	documents BYTEA NOT NULL,
	CONSTRAINT pk_word_documents PRIMARY KEY (id),
	CONSTRAINT ck_word_documents_documents CHECK (length(documents) % 20 = 0)
);

CREATE TABLE word_postings (
	shelf BIGINT NOT NULL,
	block BIGINT NOT NULL,
	word VARCHAR COLLATE "C" NOT NULL,
	postings BYTEA NOT NULL,
	CONSTRAINT pk_word_postings PRIMARY KEY (shelf, block, word),
	CONSTRAINT ck_word_postings_postings CHECK (length(postings) BETWEEN 4 AND 16384 AND length(postings) % 4 = 0)
);

CREATE TABLE reveals (
	id BIGSERIAL NOT NULL,
	session VARCHAR NOT NULL,
	person_id BIGINT NOT NULL,
	until TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_reveals PRIMARY KEY (id),
	CONSTRAINT uq_reveals_session_person_id UNIQUE (session, person_id),
	CONSTRAINT fk_reveals_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);

CREATE TABLE conversations (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	started_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	last_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	memory_on BOOLEAN DEFAULT true NOT NULL,
	summarised_at TIMESTAMP WITHOUT TIME ZONE,
	summarised_to BIGINT DEFAULT '0' NOT NULL,
	cut_to BIGINT DEFAULT '0' NOT NULL,
	CONSTRAINT pk_conversations PRIMARY KEY (id),
	CONSTRAINT fk_conversations_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);

CREATE INDEX ix_conversations_unsummarised ON conversations (person_id, last_at) WHERE summarised_at IS DISTINCT FROM last_at;

CREATE INDEX ix_conversations_person_id_last_at ON conversations (person_id, last_at);

CREATE TABLE person_spends (
	unit VARCHAR NOT NULL,
	began VARCHAR NOT NULL,
	person_id BIGINT NOT NULL,
	spent_on VARCHAR NOT NULL,
	cents DOUBLE PRECISION NOT NULL,
	CONSTRAINT pk_person_spends PRIMARY KEY (unit, began, person_id, spent_on),
	CONSTRAINT ck_person_spends_unit CHECK (unit IN ('day', 'month')),
	CONSTRAINT fk_person_spends_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);

CREATE TABLE notices (
	person_id BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_notices PRIMARY KEY (person_id, kind),
	CONSTRAINT ck_notices_kind CHECK (kind IN ('wait', 'model_down', 'rate', 'budget')),
	CONSTRAINT fk_notices_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);

CREATE TABLE operator_sessions (
	token_hash VARCHAR NOT NULL,
	operator_id BIGINT NOT NULL,
	generation BIGINT DEFAULT '1' NOT NULL,
	csrf_token VARCHAR NOT NULL,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	last_seen_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_operator_sessions PRIMARY KEY (token_hash),
	CONSTRAINT fk_operator_sessions_operator_id FOREIGN KEY(operator_id) REFERENCES operators (id)
);

CREATE TABLE operator_browsers (
	token_hash VARCHAR NOT NULL,
	operator_id BIGINT NOT NULL,
	failures BIGINT DEFAULT '0' NOT NULL,
	last_failure_at TIMESTAMP WITHOUT TIME ZONE,
	last_login_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_operator_browsers PRIMARY KEY (token_hash, operator_id),
	CONSTRAINT fk_operator_browsers_operator_id FOREIGN KEY(operator_id) REFERENCES operators (id)
);

CREATE TABLE login_steps (
	token_hash VARCHAR NOT NULL,
	operator_id BIGINT,
	generation BIGINT,
	challenge BYTEA NOT NULL,
	begun_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_login_steps PRIMARY KEY (token_hash),
	CONSTRAINT fk_login_steps_operator_id FOREIGN KEY(operator_id) REFERENCES operators (id)
);

CREATE INDEX ix_login_steps_begun_at ON login_steps (begun_at);

CREATE TABLE reviewed (
	operator_id BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	upto_id BIGINT NOT NULL,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_reviewed PRIMARY KEY (operator_id, kind),
	CONSTRAINT ck_reviewed_kind CHECK (kind IN ('fact', 'episode', 'rule')),
	CONSTRAINT fk_reviewed_operator_id FOREIGN KEY(operator_id) REFERENCES operators (id)
);

CREATE TABLE reviewed_ahead (
	operator_id BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	item_id BIGINT NOT NULL,
	CONSTRAINT pk_reviewed_ahead PRIMARY KEY (operator_id, kind, item_id),
	CONSTRAINT ck_reviewed_ahead_kind CHECK (kind IN ('fact', 'episode', 'rule')),
	CONSTRAINT fk_reviewed_ahead_operator_id FOREIGN KEY(operator_id) REFERENCES operators (id)
);

CREATE TABLE passkeys (
	id BIGSERIAL NOT NULL,
	operator_id BIGINT NOT NULL,
	name VARCHAR NOT NULL,
	host VARCHAR NOT NULL,
	credential_id BYTEA NOT NULL,
	public_key BYTEA NOT NULL,
	sign_count BIGINT NOT NULL,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	last_used_at TIMESTAMP WITHOUT TIME ZONE,
	CONSTRAINT pk_passkeys PRIMARY KEY (id),
	CONSTRAINT fk_passkeys_operator_id FOREIGN KEY(operator_id) REFERENCES operators (id),
	CONSTRAINT uq_passkeys_credential_id UNIQUE (credential_id)
);

CREATE INDEX ix_passkeys_operator_id ON passkeys (operator_id);

CREATE TABLE recovery_codes (
	code_hash VARCHAR NOT NULL,
	operator_id BIGINT NOT NULL,
	CONSTRAINT pk_recovery_codes PRIMARY KEY (code_hash),
	CONSTRAINT fk_recovery_codes_operator_id FOREIGN KEY(operator_id) REFERENCES operators (id)
);

CREATE INDEX ix_recovery_codes_operator_id ON recovery_codes (operator_id);

CREATE TABLE vectors (
	id BIGINT NOT NULL,
	model_id BIGINT NOT NULL,
	vector BYTEA NOT NULL,
	CONSTRAINT pk_vectors PRIMARY KEY (id),
	CONSTRAINT fk_vectors_model_id FOREIGN KEY(model_id) REFERENCES vector_models (id)
);

CREATE TABLE vector_bits (
	id BIGINT NOT NULL,
	model_id BIGINT NOT NULL,
	places BYTEA NOT NULL,
	bits BYTEA NOT NULL,
	CONSTRAINT pk_vector_bits PRIMARY KEY (id),
	CONSTRAINT fk_vector_bits_model_id FOREIGN KEY(model_id) REFERENCES vector_models (id)
);

CREATE TABLE shelves (
	id BIGINT NOT NULL,
	places BIGINT NOT NULL,
	embedded BIGINT DEFAULT '0' NOT NULL,
	model_id BIGINT,
	CONSTRAINT pk_shelves PRIMARY KEY (id),
	CONSTRAINT ck_shelves_embedded CHECK (embedded BETWEEN 0 AND places),
	CONSTRAINT fk_shelves_model_id FOREIGN KEY(model_id) REFERENCES vector_models (id)
);

CREATE INDEX ix_shelves_behind ON shelves (id) WHERE embedded < places;

CREATE INDEX ix_shelves_model_id ON shelves (model_id);

CREATE TABLE turns (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	conversation_id BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	carrier VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	memory_on BOOLEAN DEFAULT true NOT NULL,
	owner VARCHAR NOT NULL,
	leased_until TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	retry_at TIMESTAMP WITHOUT TIME ZONE,
	attempts BIGINT DEFAULT '1' NOT NULL,
	outcome VARCHAR,
	model VARCHAR,
	model_calls BIGINT DEFAULT '0' NOT NULL,
	input_tokens BIGINT DEFAULT '0' NOT NULL,
	output_tokens BIGINT DEFAULT '0' NOT NULL,
	cache_read_tokens BIGINT DEFAULT '0' NOT NULL,
	cache_write_tokens BIGINT DEFAULT '0' NOT NULL,
	cost_cents DOUBLE PRECISION DEFAULT '0' NOT NULL,
	model_seconds DOUBLE PRECISION DEFAULT '0' NOT NULL,
	memory_shown VARCHAR,
	recall_gate VARCHAR,
	recalled JSON,
	recall_ms DOUBLE PRECISION,
	memory_tokens BIGINT DEFAULT '0' NOT NULL,
	indexed BOOLEAN DEFAULT false NOT NULL,
	index_after TIMESTAMP WITHOUT TIME ZONE,
	started_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	ended_at TIMESTAMP WITHOUT TIME ZONE,
	CONSTRAINT pk_turns PRIMARY KEY (id),
	CONSTRAINT ck_turns_state CHECK (state IN ('running', 'postponed', 'done')),
	CONSTRAINT ck_turns_kind CHECK (kind IN ('reply', 'command', 'routine')),
	CONSTRAINT fk_turns_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_turns_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id)
);

CREATE UNIQUE INDEX uq_turns_open ON turns (person_id) WHERE state IN ('running', 'postponed');

CREATE INDEX ix_turns_person_id_id ON turns (person_id, id);

CREATE INDEX ix_turns_unindexed ON turns (person_id, id) WHERE state = 'done' AND kind = 'reply' AND NOT indexed;

CREATE TABLE calendars (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	name VARCHAR NOT NULL,
	address VARCHAR NOT NULL,
	turn_id BIGINT,
	added_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_calendars PRIMARY KEY (id),
	CONSTRAINT uq_calendars_person_id_name UNIQUE (person_id, name),
	CONSTRAINT fk_calendars_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_calendars_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);

CREATE TABLE changes (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	actor VARCHAR NOT NULL,
	verb VARCHAR NOT NULL,
	turn_id BIGINT,
	call VARCHAR,
	moved_with_id BIGINT,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	undone_at TIMESTAMP WITHOUT TIME ZONE,
	undone_by_turn_id BIGINT,
	CONSTRAINT pk_changes PRIMARY KEY (id),
	CONSTRAINT ck_changes_verb CHECK (verb IN ('remember', 'revise', 'forget', 'restore', 'merge', 'move')),
	CONSTRAINT ck_changes_actor CHECK (actor IN ('person', 'assistant', 'operator', 'agent')),
	CONSTRAINT fk_changes_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_changes_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id),
	CONSTRAINT fk_changes_undone_by_turn_id FOREIGN KEY(undone_by_turn_id) REFERENCES turns (id)
);

CREATE UNIQUE INDEX uq_changes_call ON changes (call) WHERE call IS NOT NULL;

CREATE INDEX ix_changes_person_id_id ON changes (person_id, id);

CREATE TABLE episodes (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	number BIGINT NOT NULL,
	version BIGINT NOT NULL,
	conversation_id BIGINT NOT NULL,
	upto_turn_id BIGINT NOT NULL,
	trigger VARCHAR NOT NULL,
	summary VARCHAR NOT NULL,
	narrative VARCHAR NOT NULL,
	topics JSON NOT NULL,
	key_facts JSON NOT NULL,
	importance DOUBLE PRECISION NOT NULL,
	message_count BIGINT NOT NULL,
	started_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	ended_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	written_by VARCHAR NOT NULL,
	note VARCHAR,
	recorded_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	retired_at TIMESTAMP WITHOUT TIME ZONE,
	use_count BIGINT DEFAULT '0' NOT NULL,
	last_used_at TIMESTAMP WITHOUT TIME ZONE,
	CONSTRAINT pk_episodes PRIMARY KEY (id),
	CONSTRAINT ck_episodes_trigger CHECK (trigger IN ('quiet', 'ended', 'count', 'compaction')),
	CONSTRAINT uq_episodes_person_id_number_version UNIQUE (person_id, number, version),
	CONSTRAINT fk_episodes_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_episodes_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id),
	CONSTRAINT fk_episodes_upto_turn_id FOREIGN KEY(upto_turn_id) REFERENCES turns (id)
);

CREATE UNIQUE INDEX uq_episodes_live_number ON episodes (person_id, number) WHERE retired_at IS NULL;

CREATE INDEX ix_episodes_person_id_ended_at ON episodes (person_id, ended_at);

CREATE INDEX ix_episodes_conversation_id ON episodes (conversation_id);

CREATE TABLE batches (
	conversation_id BIGINT NOT NULL,
	upto_turn_id BIGINT NOT NULL,
	trigger VARCHAR NOT NULL,
	is_cut BOOLEAN NOT NULL,
	attempts BIGINT DEFAULT '0' NOT NULL,
	failures BIGINT DEFAULT '0' NOT NULL,
	leased_until TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	retry_at TIMESTAMP WITHOUT TIME ZONE,
	unpaid_on DATE,
	draft JSON,
	written_by VARCHAR,
	note VARCHAR,
	drafted_at TIMESTAMP WITHOUT TIME ZONE,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_batches PRIMARY KEY (conversation_id),
	CONSTRAINT fk_batches_conversation_id FOREIGN KEY(conversation_id) REFERENCES conversations (id),
	CONSTRAINT fk_batches_upto_turn_id FOREIGN KEY(upto_turn_id) REFERENCES turns (id)
);

CREATE TABLE messages (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	turn_id BIGINT,
	direction VARCHAR NOT NULL,
	carrier VARCHAR NOT NULL,
	sid VARCHAR,
	key VARCHAR,
	state VARCHAR NOT NULL,
	body VARCHAR NOT NULL,
	media_count BIGINT DEFAULT '0' NOT NULL,
	forwarded BOOLEAN DEFAULT false NOT NULL,
	part BIGINT DEFAULT '1' NOT NULL,
	note VARCHAR,
	purpose VARCHAR DEFAULT 'reply' NOT NULL,
	segments BIGINT,
	cost_cents DOUBLE PRECISION,
	send_at TIMESTAMP WITHOUT TIME ZONE,
	leased_until TIMESTAMP WITHOUT TIME ZONE,
	resends BIGINT DEFAULT '0' NOT NULL,
	checked_at TIMESTAMP WITHOUT TIME ZONE,
	carrier_code BIGINT,
	delivery VARCHAR,
	attempts BIGINT DEFAULT '0' NOT NULL,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	sent_at TIMESTAMP WITHOUT TIME ZONE,
	CONSTRAINT pk_messages PRIMARY KEY (id),
	CONSTRAINT ck_messages_direction CHECK (direction IN ('in', 'out')),
	CONSTRAINT ck_messages_state CHECK ((direction = 'in' AND state IN ('waiting', 'held', 'unanswered', 'answered', 'dead')) OR (direction = 'out' AND state IN ('queued', 'sending', 'sent', 'refused', 'unknown'))),
	CONSTRAINT ck_messages_purpose CHECK (purpose IN ('reply', 'notice', 'farewell', 'routine')),
	CONSTRAINT fk_messages_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_messages_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id),
	CONSTRAINT uq_messages_sid UNIQUE (sid)
);

CREATE INDEX ix_messages_state_person_id ON messages (state, person_id) WHERE state IN ('waiting', 'queued', 'sending');

CREATE INDEX ix_messages_turn_id ON messages (turn_id) WHERE turn_id IS NOT NULL;

CREATE INDEX ix_messages_troubled ON messages (state) WHERE state IN ('unknown', 'dead');

CREATE UNIQUE INDEX uq_messages_key ON messages (key) WHERE key IS NOT NULL;

CREATE INDEX ix_messages_person_id_id ON messages (person_id, id);

CREATE TABLE model_answers (
	turn_id BIGINT NOT NULL,
	ordinal BIGINT NOT NULL,
	answer JSON NOT NULL,
	seconds DOUBLE PRECISION DEFAULT '0' NOT NULL,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_model_answers PRIMARY KEY (turn_id, ordinal),
	CONSTRAINT fk_model_answers_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);

CREATE TABLE spendings (
	id BIGSERIAL NOT NULL,
	day DATE NOT NULL,
	person_id BIGINT NOT NULL,
	turn_id BIGINT,
	is_background BOOLEAN DEFAULT false NOT NULL,
	cents DOUBLE PRECISION NOT NULL,
	is_settled BOOLEAN DEFAULT false NOT NULL,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_spendings PRIMARY KEY (id),
	CONSTRAINT fk_spendings_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_spendings_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);

CREATE INDEX ix_spendings_day_person_id_cents ON spendings (day, person_id, cents);

CREATE TABLE tool_calls (
	id BIGSERIAL NOT NULL,
	turn_id BIGINT NOT NULL,
	ordinal BIGINT NOT NULL,
	name VARCHAR NOT NULL,
	input JSON NOT NULL,
	result VARCHAR NOT NULL,
	is_error BOOLEAN NOT NULL,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_tool_calls PRIMARY KEY (id),
	CONSTRAINT uq_tool_calls_turn_id_ordinal UNIQUE (turn_id, ordinal),
	CONSTRAINT fk_tool_calls_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);

CREATE TABLE consents (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	agrees BOOLEAN NOT NULL,
	how VARCHAR NOT NULL,
	words VARCHAR,
	message_id BIGINT,
	at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_consents PRIMARY KEY (id),
	CONSTRAINT ck_consents_how CHECK (how IN ('texted_first', 'carrier_word', 'own_words', 'carrier_refusal', 'operator')),
	CONSTRAINT fk_consents_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_consents_message_id FOREIGN KEY(message_id) REFERENCES messages (id)
);

CREATE INDEX ix_consents_person_id_id ON consents (person_id, id);

CREATE TABLE episode_messages (
	episode_id BIGINT NOT NULL,
	message_id BIGINT NOT NULL,
	CONSTRAINT pk_episode_messages PRIMARY KEY (episode_id, message_id),
	CONSTRAINT fk_episode_messages_episode_id FOREIGN KEY(episode_id) REFERENCES episodes (id),
	CONSTRAINT fk_episode_messages_message_id FOREIGN KEY(message_id) REFERENCES messages (id)
);

CREATE INDEX ix_episode_messages_message_id ON episode_messages (message_id);

CREATE TABLE facts (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	number BIGINT NOT NULL,
	version BIGINT NOT NULL,
	sentence VARCHAR NOT NULL,
	normalised VARCHAR NOT NULL,
	category VARCHAR,
	source VARCHAR NOT NULL,
	confidence DOUBLE PRECISION NOT NULL,
	times_told BIGINT DEFAULT '1' NOT NULL,
	message_id BIGINT,
	quote VARCHAR,
	pinned BOOLEAN DEFAULT false NOT NULL,
	importance DOUBLE PRECISION DEFAULT '0.5' NOT NULL,
	passing BOOLEAN DEFAULT false NOT NULL,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	recorded_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	retired_at TIMESTAMP WITHOUT TIME ZONE,
	valid_from TIMESTAMP WITHOUT TIME ZONE,
	valid_to TIMESTAMP WITHOUT TIME ZONE,
	expires_at TIMESTAMP WITHOUT TIME ZONE,
	archived_at TIMESTAMP WITHOUT TIME ZONE,
	use_count BIGINT DEFAULT '0' NOT NULL,
	last_used_at TIMESTAMP WITHOUT TIME ZONE,
	fresh_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	merged_into BIGINT,
	CONSTRAINT pk_facts PRIMARY KEY (id),
	CONSTRAINT ck_facts_source CHECK (source IN ('explicit', 'corrected', 'inferred', 'imported', 'operator', 'agent')),
	CONSTRAINT uq_facts_person_id_number_version UNIQUE (person_id, number, version),
	CONSTRAINT fk_facts_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_facts_message_id FOREIGN KEY(message_id) REFERENCES messages (id)
);

CREATE INDEX ix_facts_expiring ON facts (expires_at) WHERE retired_at IS NULL AND archived_at IS NULL AND expires_at IS NOT NULL;

CREATE INDEX ix_facts_held_pinned ON facts (id) WHERE retired_at IS NULL AND pinned;

CREATE INDEX ix_facts_not_archived ON facts (person_id) WHERE retired_at IS NULL AND archived_at IS NULL;

CREATE INDEX ix_facts_held_category ON facts (category, id) WHERE retired_at IS NULL;

CREATE INDEX ix_facts_held_source ON facts (source, id) WHERE retired_at IS NULL;

CREATE INDEX ix_facts_fading ON facts (fresh_at) WHERE retired_at IS NULL AND archived_at IS NULL AND passing AND NOT pinned;

CREATE UNIQUE INDEX uq_facts_held_number ON facts (person_id, number) WHERE retired_at IS NULL;

CREATE INDEX ix_facts_held_archived ON facts (id) WHERE retired_at IS NULL AND archived_at IS NOT NULL;

CREATE INDEX ix_facts_recorded_at ON facts (recorded_at);

CREATE UNIQUE INDEX uq_facts_held_sentence ON facts (person_id, normalised) WHERE retired_at IS NULL;

CREATE TABLE media (
	id BIGSERIAL NOT NULL,
	message_id BIGINT NOT NULL,
	place BIGINT NOT NULL,
	url VARCHAR NOT NULL,
	content_type VARCHAR NOT NULL,
	note VARCHAR,
	CONSTRAINT pk_media PRIMARY KEY (id),
	CONSTRAINT uq_media_message_id_place UNIQUE (message_id, place),
	CONSTRAINT fk_media_message_id FOREIGN KEY(message_id) REFERENCES messages (id)
);

CREATE TABLE routines (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	number BIGINT NOT NULL,
	does VARCHAR NOT NULL,
	words VARCHAR NOT NULL,
	schedule JSON NOT NULL,
	zone VARCHAR,
	state VARCHAR NOT NULL,
	useful_minutes BIGINT NOT NULL,
	at_night BOOLEAN NOT NULL,
	carrier VARCHAR NOT NULL,
	message_id BIGINT,
	turn_id BIGINT,
	quote VARCHAR,
	source VARCHAR NOT NULL,
	next_due_at TIMESTAMP WITHOUT TIME ZONE,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	changed_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_routines PRIMARY KEY (id),
	CONSTRAINT ck_routines_does CHECK (does IN ('remind', 'run')),
	CONSTRAINT ck_routines_state CHECK (state IN ('proposed', 'active', 'paused', 'ended', 'cancelled')),
	CONSTRAINT uq_routines_person_id_number UNIQUE (person_id, number),
	CONSTRAINT fk_routines_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_routines_message_id FOREIGN KEY(message_id) REFERENCES messages (id),
	CONSTRAINT fk_routines_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);

CREATE INDEX ix_routines_to_come ON routines (next_due_at) WHERE state = 'active' AND next_due_at IS NOT NULL;

CREATE INDEX ix_routines_to_come_of ON routines (person_id, next_due_at) WHERE state = 'active' AND next_due_at IS NOT NULL;

CREATE TABLE rules (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	number BIGINT NOT NULL,
	version BIGINT NOT NULL,
	trigger_kind VARCHAR NOT NULL,
	trigger VARCHAR,
	procedure VARCHAR NOT NULL,
	normalised VARCHAR NOT NULL,
	state VARCHAR NOT NULL,
	source VARCHAR NOT NULL,
	message_id BIGINT,
	quote VARCHAR,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	recorded_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	retired_at TIMESTAMP WITHOUT TIME ZONE,
	CONSTRAINT pk_rules PRIMARY KEY (id),
	CONSTRAINT ck_rules_trigger_kind CHECK (trigger_kind IN ('phrase', 'situation', 'always')),
	CONSTRAINT ck_rules_trigger CHECK ((trigger_kind = 'always') = ("trigger" IS NULL)),
	CONSTRAINT ck_rules_state CHECK (state IN ('active', 'paused', 'proposed')),
	CONSTRAINT ck_rules_source CHECK (source IN ('explicit', 'corrected', 'inferred', 'file', 'forwarded', 'imported', 'operator', 'agent')),
	CONSTRAINT uq_rules_person_id_number_version UNIQUE (person_id, number, version),
	CONSTRAINT fk_rules_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_rules_message_id FOREIGN KEY(message_id) REFERENCES messages (id)
);

CREATE UNIQUE INDEX uq_rules_live_words ON rules (person_id, normalised) WHERE retired_at IS NULL;

CREATE UNIQUE INDEX uq_rules_live_number ON rules (person_id, number) WHERE retired_at IS NULL;

CREATE TABLE suggestions (
	id BIGSERIAL NOT NULL,
	person_id BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	words VARCHAR NOT NULL,
	message_id BIGINT NOT NULL,
	times BIGINT NOT NULL,
	schedule JSON,
	procedure VARCHAR,
	manner VARCHAR,
	state VARCHAR NOT NULL,
	reason VARCHAR,
	run_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	turn_id BIGINT,
	said_at TIMESTAMP WITHOUT TIME ZONE,
	answered_at TIMESTAMP WITHOUT TIME ZONE,
	answer_message_id BIGINT,
	made_number BIGINT,
	created_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	CONSTRAINT pk_suggestions PRIMARY KEY (id),
	CONSTRAINT ck_suggestions_kind CHECK (kind IN ('routine', 'rule')),
	CONSTRAINT ck_suggestions_state CHECK (state IN ('waiting', 'said', 'accepted', 'declined', 'silent', 'dropped')),
	CONSTRAINT ck_suggestions_schedule CHECK ((kind = 'routine') = (schedule IS NOT NULL)),
	CONSTRAINT fk_suggestions_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_suggestions_message_id FOREIGN KEY(message_id) REFERENCES messages (id),
	CONSTRAINT fk_suggestions_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id),
	CONSTRAINT fk_suggestions_answer_message_id FOREIGN KEY(answer_message_id) REFERENCES messages (id)
);

CREATE UNIQUE INDEX uq_suggestions_open ON suggestions (person_id) WHERE state IN ('waiting', 'said');

CREATE INDEX ix_suggestions_person_id_id ON suggestions (person_id, id);

CREATE INDEX ix_suggestions_waiting ON suggestions (run_at) WHERE state = 'waiting';

CREATE INDEX ix_suggestions_turn_id ON suggestions (turn_id) WHERE turn_id IS NOT NULL;

CREATE TABLE change_items (
	id BIGSERIAL NOT NULL,
	change_id BIGINT NOT NULL,
	added_fact_id BIGINT,
	retired_fact_id BIGINT,
	retired_episode_id BIGINT,
	added_rule_id BIGINT,
	retired_rule_id BIGINT,
	field VARCHAR,
	fact_id BIGINT,
	routine_id BIGINT,
	before VARCHAR,
	after VARCHAR,
	CONSTRAINT pk_change_items PRIMARY KEY (id),
	CONSTRAINT fk_change_items_change_id FOREIGN KEY(change_id) REFERENCES changes (id),
	CONSTRAINT fk_change_items_added_fact_id FOREIGN KEY(added_fact_id) REFERENCES facts (id),
	CONSTRAINT fk_change_items_retired_fact_id FOREIGN KEY(retired_fact_id) REFERENCES facts (id),
	CONSTRAINT fk_change_items_retired_episode_id FOREIGN KEY(retired_episode_id) REFERENCES episodes (id),
	CONSTRAINT fk_change_items_added_rule_id FOREIGN KEY(added_rule_id) REFERENCES rules (id),
	CONSTRAINT fk_change_items_retired_rule_id FOREIGN KEY(retired_rule_id) REFERENCES rules (id),
	CONSTRAINT fk_change_items_fact_id FOREIGN KEY(fact_id) REFERENCES facts (id),
	CONSTRAINT fk_change_items_routine_id FOREIGN KEY(routine_id) REFERENCES routines (id)
);

CREATE INDEX ix_change_items_change_id ON change_items (change_id);

CREATE INDEX ix_change_items_routine_id ON change_items (routine_id) WHERE routine_id IS NOT NULL;

CREATE TABLE episode_facts (
	episode_id BIGINT NOT NULL,
	fact_id BIGINT NOT NULL,
	CONSTRAINT pk_episode_facts PRIMARY KEY (episode_id, fact_id),
	CONSTRAINT fk_episode_facts_episode_id FOREIGN KEY(episode_id) REFERENCES episodes (id),
	CONSTRAINT fk_episode_facts_fact_id FOREIGN KEY(fact_id) REFERENCES facts (id)
);

CREATE INDEX ix_episode_facts_fact_id ON episode_facts (fact_id);

CREATE TABLE fact_pairs (
	fact_id BIGINT NOT NULL,
	other_id BIGINT NOT NULL,
	person_id BIGINT NOT NULL,
	kind VARCHAR NOT NULL,
	likeness DOUBLE PRECISION NOT NULL,
	CONSTRAINT pk_fact_pairs PRIMARY KEY (fact_id, other_id),
	CONSTRAINT ck_fact_pairs_kind CHECK (kind IN ('alike', 'conflict')),
	CONSTRAINT fk_fact_pairs_fact_id FOREIGN KEY(fact_id) REFERENCES facts (id),
	CONSTRAINT fk_fact_pairs_other_id FOREIGN KEY(other_id) REFERENCES facts (id),
	CONSTRAINT fk_fact_pairs_person_id FOREIGN KEY(person_id) REFERENCES people (id)
);

CREATE INDEX ix_fact_pairs_other_id ON fact_pairs (other_id);

CREATE INDEX ix_fact_pairs_kind_fact_id ON fact_pairs (kind, fact_id);

CREATE TABLE occurrences (
	id BIGSERIAL NOT NULL,
	routine_id BIGINT NOT NULL,
	person_id BIGINT NOT NULL,
	due_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	run_at TIMESTAMP WITHOUT TIME ZONE NOT NULL,
	snoozed_to TIMESTAMP WITHOUT TIME ZONE,
	state VARCHAR NOT NULL,
	reason VARCHAR,
	turn_id BIGINT,
	attempts BIGINT DEFAULT '0' NOT NULL,
	late_seconds BIGINT DEFAULT '0' NOT NULL,
	said_at TIMESTAMP WITHOUT TIME ZONE,
	by_operator BOOLEAN DEFAULT false NOT NULL,
	at_night BOOLEAN DEFAULT false NOT NULL,
	CONSTRAINT pk_occurrences PRIMARY KEY (id),
	CONSTRAINT ck_occurrences_state CHECK (state IN ('due', 'held', 'running', 'sent', 'late', 'delivered', 'missed', 'skipped', 'cancelled')),
	CONSTRAINT uq_occurrences_routine_id_due_at UNIQUE (routine_id, due_at),
	CONSTRAINT fk_occurrences_routine_id FOREIGN KEY(routine_id) REFERENCES routines (id),
	CONSTRAINT fk_occurrences_person_id FOREIGN KEY(person_id) REFERENCES people (id),
	CONSTRAINT fk_occurrences_turn_id FOREIGN KEY(turn_id) REFERENCES turns (id)
);

CREATE INDEX ix_occurrences_state_id ON occurrences (state, id);

CREATE INDEX ix_occurrences_open_of ON occurrences (person_id, run_at) WHERE state IN ('due', 'held');

CREATE INDEX ix_occurrences_turn_id ON occurrences (turn_id) WHERE turn_id IS NOT NULL;

CREATE INDEX ix_occurrences_person_id_id ON occurrences (person_id, id);

CREATE INDEX ix_occurrences_due_at ON occurrences (due_at);

CREATE INDEX ix_occurrences_said ON occurrences (person_id, said_at) WHERE said_at IS NOT NULL;

CREATE INDEX ix_occurrences_open ON occurrences (run_at) WHERE state IN ('due', 'held');

CREATE INDEX ix_occurrences_running ON occurrences (id) WHERE state = 'running';

CREATE FUNCTION note_last_text() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN UPDATE people SET last_text_id = new.id WHERE id = new.person_id; RETURN NULL; END $$;

CREATE TRIGGER messages_last_text AFTER INSERT ON messages FOR EACH ROW WHEN (new.direction = 'in')
EXECUTE FUNCTION note_last_text();
