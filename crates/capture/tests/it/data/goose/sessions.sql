CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, session_type TEXT, working_dir TEXT, created_at TIMESTAMP, updated_at TIMESTAMP, parent_session_id TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);
INSERT INTO sessions VALUES ('s1', 'Buoy colours', '', 'user', '/home/mira/ferry', '2026-06-02 08:00:00', '2026-06-02 08:10:00', NULL);
INSERT INTO sessions VALUES ('s2', '', 'look up buoys', 'sub_agent', '/home/mira/ferry', '2026-06-02 08:01:00', '2026-06-02 08:02:00', 's1');
INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) VALUES
 ('m1', 's1', 'user', '[{"type":"text","text":"Paint port buoys red"}]', 1780387201, '{"userVisible":true,"agentVisible":true}'),
 ('m2', 's1', 'assistant', '[{"type":"text","text":"Red it is."}]', 1780387205, NULL),
 ('m3', 's1', 'assistant', '{broken', 1780387206, NULL),
 ('m4', 's2', 'user', '[{"type":"text","text":"Which colour are port buoys?"}]', 1780387261, NULL),
 ('m5', 's2', 'assistant', '[{"type":"text","text":"Red in region A."}]', 1780387265, NULL);
