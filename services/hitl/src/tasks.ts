import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createSearchLimiter, createForgetReplies } from '@svcforms/http';
import {
  createCallerCheck,
  createFormAccess,
  createReviewers,
  USERS,
  type UserRecord,
} from '@svcforms/identity';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { Clock, Logger, Tracing } from '@svcforms/primitives';
import { createEraser, FORMS, TASKS, type FormRecord, type TaskRecord } from '@svcforms/records';
import { createReceiptKeys, type SecretBox } from '@svcforms/signing';
import { createCallbacks } from './callback/callbacks.ts';
import type { HitlConfig } from './config.ts';
import { createCompletion, createTaskOutbox } from './tasks/completion.ts';
import { createTaskCreation } from './tasks/create-task.ts';
import { createDecisions } from './tasks/decisions.ts';
import { createEvidence } from './tasks/evidence.ts';
import { createExpiry } from './tasks/expiry.ts';
import { createFindTasks } from './tasks/find-tasks.ts';
import { createFollowUps } from './tasks/follow-up-sweep.ts';
import { createReaderNow } from './tasks/reader-now.ts';
import { createReceipts } from './tasks/receipts.ts';
import { createSlackChannels } from './tasks/slack-channels.ts';
import { createTaskAccess } from './tasks/task-access.ts';
import { createTaskView } from './tasks/task-out.ts';
import { createTaskService } from './tasks/task-service.ts';
import { createWaiters } from './tasks/waiters.ts';

export interface TasksDeps {
  store: DocumentStore;
  bus: EventBus;
  secretBox: SecretBox;
  guard: Guard;
  client: Pick<GuardedClient, 'post'>;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Logger;
  now: Clock;
}

export type Tasks = ReturnType<typeof createTasks>;

/** The operations on tasks, and what follows when a task is resolved. */
export function createTasks(config: HitlConfig, deps: TasksDeps) {
  const { store, bus, secretBox, guard, client, tracing, log, now } = deps;
  const tasks = store.collection<TaskRecord>(TASKS);
  const forms = store.collection<FormRecord>(FORMS);
  const users = store.collection<UserRecord>(USERS);
  const findForm = createCachedFinder(forms, '_id');
  const groupsOfForm = async (formId: string) => (await findForm(formId))?.settings.reviewers?.groups;
  const reviewers = createReviewers({ store, groupsOfForm });
  const followUps = createFollowUps({ tasks, users, reviewers, log, now });
  const viewTask = createTaskView({ reviewers, now });

  const outbox = createTaskOutbox({ store, bus, tasks, tracing, log, now });
  const waiters = createWaiters(tasks);
  const callbacks = createCallbacks({
    tasks,
    client,
    secretBox,
    storeSubmission: outbox.storeSubmission,
    timeoutMs: config.callbackTimeoutMs,
    retryScheduleSeconds: config.retryScheduleSeconds,
    log,
    now,
  });
  const complete = createCompletion({ outbox, waiters, sendCallback: callbacks.send, log });
  const expiry = createExpiry({ tasks, forms, reviewers, complete, now });
  const eraser = createEraser({ store, forgetReplies: createForgetReplies({ store, now }), now });
  const receipts = createReceipts({
    tasks,
    keys: createReceiptKeys(secretBox),
    baseUrl: config.baseUrl,
    now,
  });
  const createTask = createTaskCreation({
    tasks,
    forms,
    users,
    reviewers,
    guard,
    secretBox,
    outbox: outbox.events,
    slackOf: createSlackChannels({ config: config.slack, store, reviewers }),
    now,
  });
  const access = createTaskAccess({ tasks, findForm, expiry, now });
  const decisions = createDecisions({
    tasks,
    forms,
    access,
    reviewers,
    findEvidence: createEvidence({ secretBox, now }),
    receipts,
    complete,
    now,
  });
  const taskService = createTaskService({
    tasks,
    findTasks: createFindTasks({ tasks, forms, enterSearch: createSearchLimiter({ maxQueued: 2 }) }),
    access,
    decisions,
    createTask,
    waiters,
    readerNow: createReaderNow({
      mayStill: createCallerCheck({ store, now }),
      access: createFormAccess({ store }),
    }),
    eraser,
    complete,
    now,
  });
  return {
    tasks,
    forms,
    findForm,
    outbox,
    waiters,
    callbacks,
    expiry,
    followUps,
    viewTask,
    receipts,
    taskService,
  };
}
