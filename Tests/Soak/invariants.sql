-- What has to be true of a ledger after every run that ended by itself. Each query finds what is wrong: no rows are right.

-- a delivery that is still being dispatched
SELECT id, status FROM deliveries WHERE status = 'dispatching';

-- a delivery that may still be sent, or may not, against its status
SELECT id, status, open FROM deliveries
WHERE open != (status IN ('queued', 'dispatching')) AND NOT (status = 'unknown');

-- two deliveries of one kind to one activity that may both still be sent
SELECT target, kind, count(*) FROM deliveries WHERE open = 1 AND target IS NOT NULL GROUP BY target, kind
HAVING count(*) > 1;

-- two reloads of one device that may both still be sent
SELECT registration, count(*) FROM deliveries WHERE open = 1 AND kind = 'reload' GROUP BY registration
HAVING count(*) > 1;

-- an update that may be sent after an end
SELECT target FROM deliveries WHERE open = 1 AND kind = 'update'
INTERSECT SELECT target FROM deliveries WHERE open = 1 AND kind = 'end';

-- a delivery to an activity that is over
SELECT d.id, d.kind, d.status, i.phase FROM deliveries d JOIN instances i ON i.id = d.target
WHERE d.open = 1 AND i.phase IN ('closed', 'failed', 'cancelled');

-- a launch that waits and has no start to send
SELECT id FROM instances WHERE phase = 'queued' AND NOT EXISTS
    (SELECT 1 FROM deliveries WHERE target = instances.id AND kind = 'start' AND status = 'queued' AND open = 1);

-- a launch that was sent and whose start was never dispatched
SELECT id FROM instances WHERE phase = 'outstanding' AND NOT EXISTS
    (SELECT 1 FROM deliveries WHERE target = instances.id AND kind = 'start' AND attempts > 0);

-- more than one start of one launch
SELECT target, count(*) FROM deliveries WHERE kind = 'start' GROUP BY target HAVING count(*) > 1;

-- a reason to be closed without being closed, or the other way round
SELECT id, phase, closure FROM instances WHERE (phase = 'closed') != (closure IS NOT NULL);

-- a running activity that was never reported
SELECT id FROM instances WHERE phase = 'running' AND (activity_id IS NULL OR token IS NULL OR registered_at = 0);

-- two activities under one activityId on one device
SELECT app, device, activity_id FROM instances WHERE activity_id IS NOT NULL GROUP BY app, device, activity_id
HAVING count(*) > 1;

-- two launches of one number
SELECT sequence FROM instances WHERE origin = 'remote' AND sequence > 0 GROUP BY sequence, launch
HAVING count(DISTINCT launch) > 1;

-- a token that lives in two places
SELECT token FROM (
    SELECT token FROM widget_registrations WHERE token IS NOT NULL
    UNION ALL SELECT token FROM start_targets WHERE token IS NOT NULL
    UNION ALL SELECT token FROM instances WHERE token IS NOT NULL AND phase = 'running'
) GROUP BY token HAVING count(*) > 1;

-- a token that is not lower-case hex
SELECT token FROM widget_registrations WHERE token GLOB '*[^0-9a-f]*' OR length(token) % 2
UNION ALL SELECT token FROM start_targets WHERE token GLOB '*[^0-9a-f]*' OR length(token) % 2
UNION ALL SELECT token FROM instances WHERE token GLOB '*[^0-9a-f]*' OR length(token) % 2;

-- a registration with a token that belongs to nobody, or to somebody who does not own the device
SELECT w.app, w.device FROM widget_registrations w JOIN devices d USING (app, device)
WHERE w.token IS NOT NULL AND w.subscriber IS NOT d.subscriber
UNION ALL SELECT s.app, s.device FROM start_targets s JOIN devices d USING (app, device)
WHERE s.token IS NOT NULL AND s.subscriber IS NOT d.subscriber;

-- a delivery that names another owner, or another kind, than its operation or its activity
SELECT d.id FROM deliveries d JOIN operations o ON o.id = d.operation WHERE d.kind != o.kind OR d.app != o.app
UNION ALL SELECT d.id FROM deliveries d JOIN instances i ON i.id = d.target
WHERE d.app != i.app OR d.device != i.device;

-- a commit number above the last one
SELECT 'delivery', id FROM deliveries WHERE commit_number > (SELECT CAST(value AS INTEGER) FROM facts WHERE key = 'commit')
UNION ALL SELECT 'widget', name FROM widgets
WHERE changed_commit > (SELECT CAST(value AS INTEGER) FROM facts WHERE key = 'commit');

-- an accepted delivery that was answered otherwise; of a start, the report that adopts it settles it
SELECT id FROM deliveries WHERE status = 'accepted' AND kind != 'start' AND apns_status IS NOT 200;
