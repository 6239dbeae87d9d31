import { createWorkPollSchedule, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createForgetReplies } from '@svcforms/http';
import type { Clock, CreateJob, Logger } from '@svcforms/primitives';
import { createEraser, ERASURES, type ErasureRecord } from '@svcforms/records';
import { DEAD_LETTERS, type DeadLetterRecord } from '../fan-out/dead-letters.ts';
import { MAILS, type MailRecord } from '../mail/mail-record.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import { createErasureJob } from './erasure-job.ts';

const LOCAL_EVERY_MS = 300;
/** How often a process searches for erasures without an announcement. */
const LOCAL_POLL_MS = 1_000;
const SHARED_EVERY_MS = 1_000;

interface ErasureDeps {
  store: Pick<DocumentStore, 'collection' | 'scrub'>;
  bus: Pick<EventBus, 'erase'>;
  mailer: Pick<Mailer, 'erase'>;
  queue: Pick<DeliveryQueue, 'dropErased'>;
  createJob: CreateJob;
  log: Pick<Logger, 'info'>;
  now: Clock;
}

/**
 * Applies erasures to this process, and to what all processes share.
 * docs/reference/privacy.md#erasure
 */
export function createErasure(deps: ErasureDeps): { start(): void; stop(): Promise<void> } {
  const { store, bus, mailer, queue, createJob, log, now } = deps;
  const erasures = store.collection<ErasureRecord>(ERASURES);
  const erasureJob = createErasureJob({
    erasures,
    mails: store.collection<MailRecord>(MAILS),
    deadLetters: store.collection<DeadLetterRecord>(DEAD_LETTERS),
    eraser: createEraser({ store, forgetReplies: createForgetReplies({ store, now }), now }),
    bus,
    store,
    mailer,
    dropErased: (eventIds) => queue.dropErased(eventIds),
    log,
    now,
  });
  const localSchedule = createWorkPollSchedule(erasures, { now, pollEveryMs: LOCAL_POLL_MS });
  const sharedSchedule = createWorkPollSchedule(erasures, { now });
  const deferredSchedule = createWorkPollSchedule(erasures, { now });
  const jobs = [
    createJob('erasure in this process', LOCAL_EVERY_MS, () =>
      localSchedule.pollIfDue(() => erasureJob.applyLocally()),
    ),
    createJob('erasure in the store and the event log', SHARED_EVERY_MS, () =>
      sharedSchedule.pollIfDue(() => erasureJob.applyShared()),
    ),
    createJob('deletion of webhooks in the store', SHARED_EVERY_MS, () =>
      deferredSchedule.pollIfDue(() => erasureJob.applyShared({ deferred: true })),
    ),
  ];
  return {
    start() {
      for (const job of jobs) job.start();
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
