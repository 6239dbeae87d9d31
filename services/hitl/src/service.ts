import { createFinder } from '@svcforms/document-store';
import { createSharedAccess, type Service } from '@svcforms/http';
import {
  createCallerCheck,
  createKeepGroups,
  createPolicyIssues,
  createFormAccess,
  isSameLimit,
  GROUPS,
  USERS,
  type GroupRecord,
  type UserRecord,
} from '@svcforms/identity';
import { createPollSchedule, periodicJobs, type Clock } from '@svcforms/primitives';
import { createDraftStore, ERASURES, type ErasureRecord } from '@svcforms/records';
import { outboxAge } from '@svcforms/runtime';
import type { HitlConfig } from './config.ts';
import { createMcp } from './mcp/mcp.ts';
import { routes } from './routes.ts';
import { createInteractions } from './slack/interactions.ts';
import { createForgetErased } from './stream/erased-events.ts';
import { createHub } from './stream/hub.ts';
import { createStreamCounts } from './stream/stream-counts.ts';
import { currentPosition } from './stream/current-position.ts';
import { createStreams } from './stream/streams.ts';
import { createTasks, type Tasks, type TasksDeps } from './tasks.ts';

const SWEEP_INTERVAL_MS = 1_000;
/**
 * The share of the drain time after which MCP requests end: those that wait for a task get their
 * response before.
 */
const MCP_DRAIN_SHARE = 0.25;

interface HitlDeps extends Omit<TasksDeps, 'now'> {
  now?: Clock;
}

/**
 * Human-in-the-loop tasks: their decisions and callbacks, the event stream, and the MCP server for
 * agents.
 */
export function createHitl(config: HitlConfig, deps: HitlDeps): Service {
  const { bus, log, now = Date.now } = deps;
  const tasks = createTasks(config, { ...deps, now });
  const streams = createEventStreams(config, tasks, { ...deps, now });
  const { taskService, forms, outbox, waiters, callbacks, receipts } = tasks;
  const { submissions } = outbox;
  const { viewTask } = tasks;
  const { baseUrl } = config;
  const authoring = createAuthoring({ store: deps.store, forms, now });
  const mcp = createMcp({ taskService, viewTask, forms, submissions, ...authoring, baseUrl, log, now });

  const expirySchedule = createPollSchedule({ now });
  const createJob = periodicJobs({ event: 'hitl.waiting', log, now });
  const sweeps = [
    createJob('expiry sweep', SWEEP_INTERVAL_MS, () => expirySchedule.pollIfDue(() => tasks.expiry.sweep())),
    createJob('follow-up sweep', SWEEP_INTERVAL_MS, () => tasks.followUps.sweep()),
    createJob('erasure sweep', SWEEP_INTERVAL_MS, streams.forgetErased),
    createJob('callback sweep', SWEEP_INTERVAL_MS, () => callbacks.sweep()),
  ];

  return {
    routes: routes({
      taskService,
      receipts,
      redeliverCallback: callbacks.redeliver,
      position: () => currentPosition(bus),
      streams: streams.streams,
      bus,
      mcp,
      viewTask,
      interactions: createInteractions({ ...deps, config: config.slack, taskService, baseUrl, now }),
    }),
    metrics: [
      outboxAge('tasks', outbox.events),
      {
        name: 'svc_callbacks_oldest_due_seconds',
        help: 'How long the oldest callback has been due that no process is sending.',
        kind: 'gauge',
        read: async () => [{ value: await callbacks.oldestDueSeconds() }],
      },
      {
        name: 'svc_streams_open',
        help: 'Open event streams of this process.',
        kind: 'gauge',
        read: () => [{ value: streams.streams.open() }],
      },
    ],
    async start() {
      outbox.start();
      streams.streams.start();
      for (const job of sweeps) job.start(SWEEP_INTERVAL_MS);
    },
    drain(withinMs) {
      waiters.stop();
      // The streams take most of the time, and the result of a callback that is cut off is unknown.
      void callbacks.stop();
      streams.streams.drain(withinMs);
      setTimeout(() => void mcp.close(), withinMs * MCP_DRAIN_SHARE);
    },
    async stop() {
      waiters.stop();
      await streams.streams.stop();
      streams.hub.stop();
      await Promise.all(sweeps.map((job) => job.stop()));
      await callbacks.stop();
      await outbox.stop();
    },
  };
}

/** What the MCP tools for drafts of forms need. */
function createAuthoring({
  store,
  forms,
  now,
}: Pick<HitlDeps, 'store'> & Pick<Tasks, 'forms'> & { now: Clock }) {
  const groups = store.collection<GroupRecord>(GROUPS);
  const policyIssues = createPolicyIssues({ users: store.collection<UserRecord>(USERS), groups });
  const keepGroups = createKeepGroups({ groups, now });
  return { policyIssues, drafts: createDraftStore({ forms, policyIssues, keepGroups, now }) };
}

function createEventStreams(
  { baseUrl: origin }: HitlConfig,
  { tasks, outbox, findForm }: Pick<Tasks, 'tasks' | 'outbox' | 'findForm'>,
  { store, bus, log, now }: TasksDeps,
) {
  const sources = {
    origin,
    findTask: createFinder(tasks, '_id'),
    findForm,
    findSubmission: createFinder(outbox.submissions, '_id'),
  };
  const hub = createHub({ bus, sources, log });
  const check = createCallerCheck({ store, now });
  const access = createFormAccess({ store });
  const shared = bus.sharedValues ? createSharedAccess(bus.sharedValues, log) : undefined;
  const streams = createStreams({
    counts: createStreamCounts({ shared, now }),
    hub,
    bus,
    sources,
    // A reader whose groups or role changed connects again, and sees what they may see now.
    mayStill: async (caller) =>
      (await check(caller, 'events:read')) && isSameLimit(caller, await access.limit(caller)),
    log,
    now,
  });
  const erasures = store.collection<ErasureRecord>(ERASURES);
  return { hub, streams, forgetErased: createForgetErased({ erasures, hub }) };
}
