import { createFinder, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { every } from '@svcforms/primitives';
import { forgetReplies, type Service } from '@svcforms/http';
import type { Logger } from '@svcforms/primitives';
import { outboxAge } from '@svcforms/runtime';
import { createCallerCheck, USERS, type UserRecord } from '@svcforms/identity';
import type { Guard, GuardedClient } from '@svcforms/outbound';
import {
  createEraser,
  ERASURES,
  FORMS,
  TASKS,
  type ErasureRecord,
  type FormRecord,
  type TaskRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { createCallbacks } from './callback/callbacks.ts';
import type { HitlConfig } from './config.ts';
import { createMcp } from './mcp/mcp.ts';
import { routes } from './routes.ts';
import { createForgetErased } from './stream/forget-erased.ts';
import { createHub } from './stream/hub.ts';
import { createStreams } from './stream/streams.ts';
import { createExpiry } from './tasks/expiry.ts';
import { createFollowUp } from './tasks/follow-up.ts';
import { createTaskDesk } from './tasks/task-desk.ts';
import { createWaiting } from './tasks/waiting.ts';

const SWEEP_EVERY_MS = 1_000;
const MCP_DRAIN_SHARE = 0.25;

export interface HitlDeps {
  store: DocumentStore;
  bus: EventBus;
  secretBox: SecretBox;
  guard: Guard;
  client: Pick<GuardedClient, 'post'>;
  log: Logger;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Asks humans: tasks and their decisions, callbacks, the stream of events, and the MCP server for agents. */
export function createHitl(config: HitlConfig, deps: HitlDeps): Service {
  const { store, bus, secretBox, guard, client, log, now = Date.now } = deps;
  const tasks = store.collection<TaskRecord>(TASKS);
  const forms = store.collection<FormRecord>(FORMS);
  const users = store.collection<UserRecord>(USERS);

  const followUp = createFollowUp({ store, bus, tasks, log, now });
  const { outbox, submissions } = followUp;
  const waiting = createWaiting(tasks);
  const eraser = createEraser({
    store,
    forgetReplies: (ids) => forgetReplies(store, ids, new Date(now()).toISOString()),
    now,
  });
  const callbacks = createCallbacks({
    tasks,
    client,
    secretBox,
    storeSubmission: (task) => followUp.storeSubmissionOf(task),
    timeoutMs: config.callbackTimeoutMs,
    log,
    now,
  });
  const onEnd = async (task: TaskRecord): Promise<void> => {
    const isTold = await followUp.afterEnd(task);
    waiting.tell(task);
    if (isTold) callbacks.send(task);
  };
  const expiry = createExpiry({ tasks, forms, onEnd, now });
  const desk = createTaskDesk({
    tasks,
    forms,
    users,
    guard,
    secretBox,
    outbox,
    expiry,
    waiting,
    eraser,
    onEnd,
    now,
  });

  const sources = {
    findTask: createFinder(tasks, '_id'),
    findSubmission: createFinder(submissions, '_id'),
  };
  const hub = createHub({ bus, sources, log });
  const check = createCallerCheck({ store, now });
  const streams = createStreams({
    hub,
    bus,
    sources,
    mayStill: (caller) => check(caller, 'events:read'),
    log,
    now,
  });

  const sweeping = (what: string, work: () => Promise<void>) =>
    every({
      intervalMs: SWEEP_EVERY_MS,
      work,
      onError: (error) => log.warn({ event: 'hitl.waiting', what, err: error }, `${what} must wait`),
      now,
    });
  const sweeps = [
    sweeping('looking for tasks whose time is over', () => expiry.sweep()),
    sweeping(
      'looking for erasures',
      createForgetErased({ erasures: store.collection<ErasureRecord>(ERASURES), hub }),
    ),
    sweeping('looking after callbacks', () => callbacks.sweep()),
  ];

  const mcp = createMcp({ desk, forms, submissions, baseUrl: config.baseUrl, log, now });

  return {
    routes: routes({
      desk,
      callbacks,
      position: () => bus.position(),
      streams,
      bus,
      mcp,
      now,
    }),
    metrics: [
      outboxAge('tasks', outbox),
      {
        name: 'svc_streams_open',
        help: 'Streams of events that are open on this process.',
        kind: 'gauge',
        read: () => [{ value: streams.open() }],
      },
    ],
    async start() {
      followUp.start();
      for (const sweep of sweeps) sweep.start(SWEEP_EVERY_MS);
    },
    drain(withinMs) {
      waiting.stop();
      streams.drain(withinMs);
      // Not at once: whoever waited for a task is being answered.
      setTimeout(() => void mcp.close(), withinMs * MCP_DRAIN_SHARE);
    },
    async stop() {
      waiting.stop();
      streams.stop();
      hub.stop();
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      await callbacks.stop();
      await followUp.stop();
    },
  };
}
