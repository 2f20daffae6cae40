-- What has to be true of a ledger after every run that ended by itself, in the words of its dump. Each query finds what is
-- wrong: no rows are right.

-- a delivery that is still being dispatched
SELECT id, status FROM delivery WHERE status = 'dispatching';

-- a delivery that may still be sent, or may not, against its status
SELECT id, status, open FROM delivery
WHERE open != (status IN ('queued', 'dispatching')) AND NOT (status = 'unknown');

-- two deliveries of one kind to one activity that may both still be sent
SELECT targetId, kind, count(*) FROM delivery WHERE open AND targetId IS NOT NULL GROUP BY targetId, kind
HAVING count(*) > 1;

-- two reloads of one device that may both still be sent
SELECT registrationId, count(*) FROM delivery WHERE open AND kind = 'reload' GROUP BY registrationId
HAVING count(*) > 1;

-- an update that may be sent after an end
SELECT targetId FROM delivery WHERE open AND kind = 'update'
INTERSECT SELECT targetId FROM delivery WHERE open AND kind = 'end';

-- a delivery to an activity that is over
SELECT d.id, d.kind, d.status, i.phase FROM delivery d JOIN instance i ON i.id = d.targetId
WHERE d.open AND i.phase IN ('closed', 'failed', 'cancelled');

-- a launch that waits and has no start to send
SELECT id FROM instance WHERE phase = 'queued' AND NOT EXISTS
    (SELECT 1 FROM delivery WHERE targetId = instance.id AND kind = 'start' AND status = 'queued' AND open);

-- a launch that was sent and whose start was never dispatched
SELECT id FROM instance WHERE phase = 'outstanding' AND NOT EXISTS
    (SELECT 1 FROM delivery WHERE targetId = instance.id AND kind = 'start' AND attempts > 0);

-- more than one start of one launch
SELECT targetId, count(*) FROM delivery WHERE kind = 'start' GROUP BY targetId HAVING count(*) > 1;

-- a reason to be closed without being closed, or the other way round
SELECT id, phase, closedBy FROM instance WHERE (phase = 'closed') != (closedBy IS NOT NULL);

-- a running activity that was never reported
SELECT id FROM instance WHERE phase = 'running' AND (activityId IS NULL OR token IS NULL OR registeredAt IS NULL);

-- two activities under one activityId on one device
SELECT app, device, activityId FROM instance WHERE activityId IS NOT NULL GROUP BY app, device, activityId
HAVING count(*) > 1;

-- two launches of one number
SELECT launchSequence FROM instance WHERE origin = 'remote' AND launchSequence IS NOT NULL GROUP BY launchSequence
HAVING count(DISTINCT launchRequestId) > 1;

-- a token that lives in two places
SELECT token FROM (
    SELECT token FROM widgetRegistration WHERE token IS NOT NULL
    UNION ALL SELECT token FROM startTarget WHERE token IS NOT NULL
    UNION ALL SELECT token FROM instance WHERE token IS NOT NULL AND phase = 'running'
) GROUP BY token HAVING count(*) > 1;

-- a token that is not lower-case hex
SELECT token FROM widgetRegistration WHERE token GLOB '*[^0-9a-f]*' OR length(token) % 2
UNION ALL SELECT token FROM startTarget WHERE token GLOB '*[^0-9a-f]*' OR length(token) % 2
UNION ALL SELECT token FROM instance WHERE token GLOB '*[^0-9a-f]*' OR length(token) % 2;

-- a registration with a token that belongs to nobody, or to somebody who does not own the device
SELECT w.app, w.device FROM widgetRegistration w JOIN device d USING (app, device)
WHERE w.token IS NOT NULL AND w.subscriber IS NOT d.subscriber
UNION ALL SELECT s.app, s.device FROM startTarget s JOIN device d USING (app, device)
WHERE s.token IS NOT NULL AND s.subscriber IS NOT d.subscriber;

-- a delivery that names another owner, or another kind, than its operation or its activity
SELECT d.id FROM delivery d JOIN operation o ON o.id = d.operationId WHERE d.kind != o.kind OR d.app != o.app
UNION ALL SELECT d.id FROM delivery d JOIN instance i ON i.id = d.targetId
WHERE d.app != i.app OR d.device != i.device;

-- a step above the last one
SELECT 'delivery', id FROM delivery WHERE step > (SELECT step FROM ledger)
UNION ALL SELECT 'widget', name FROM widget WHERE changedStep > (SELECT step FROM ledger);

-- an accepted delivery that was answered otherwise; of a start, the report that adopts it settles it
SELECT id FROM delivery WHERE status = 'accepted' AND kind != 'start' AND apnsStatus IS NOT 200;

-- a dangling reference
SELECT id, operationId FROM delivery WHERE operationId NOT IN (SELECT id FROM operation)
UNION ALL SELECT id, targetId FROM delivery WHERE targetId IS NOT NULL AND targetId NOT IN (SELECT id FROM instance)
UNION ALL SELECT id, runId FROM operation WHERE runId NOT IN (SELECT id FROM run)
UNION ALL SELECT launchRequestId, targetId FROM resolution WHERE targetId NOT IN (SELECT id FROM instance);
