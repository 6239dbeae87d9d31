import { createOutbox, type Outbox } from '@svcforms/outbox';
import type { Collection, DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import {
  createSubmissionOutbox,
  storeSubmission,
  submissionOfTask,
  taskEvent,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';

/** Events this old may have been published by somebody and forgotten by the bus; the relay looks before it publishes. */
const RELAY_AFTER_MS = 60_000;

export interface FollowUpDeps {
  store: DocumentStore;
  bus: Pick<EventBus, 'publish' | 'publishedSince'>;
  tasks: Collection<TaskRecord>;
  log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface FollowUp {
  /** Events of tasks; only for a task that was just created. */
  outbox: Outbox<TaskRecord>;
  submissions: Collection<SubmissionRecord>;
  /** Stores the submission that came of a settled task, if it isn't there. */
  storeSubmissionOf(task: TaskRecord): Promise<void>;
  /**
   * Call when a task has ended: first its submission, then its events. Never rejects; what fails is the relay's.
   * @returns whether the submission is there, so that others may be told.
   */
  afterEnd(task: TaskRecord): Promise<boolean>;
  start(): void;
  stop(): Promise<void>;
}

/** What follows from the end of a task. A crash anywhere leaves it to the relay of the outbox, which does the same. */
export function createFollowUp({ tasks, log, now, ...deps }: FollowUpDeps): FollowUp {
  const sink = createSubmissionOutbox({ ...deps, log, now });

  async function storeSubmissionOf(task: TaskRecord): Promise<void> {
    if (task.submissionId !== undefined) await storeSubmission(sink, submissionOfTask(task));
  }

  const outbox = createOutbox<TaskRecord>({
    collection: tasks,
    bus: deps.bus,
    render: taskEvent,
    prepare: storeSubmissionOf,
    log,
    now,
  });

  return {
    outbox,
    submissions: sink.submissions,
    storeSubmissionOf,
    async afterEnd(task) {
      try {
        await storeSubmissionOf(task);
      } catch (error) {
        log.warn(
          { event: 'task.waiting', taskId: task._id, err: error },
          'the submission of a settled task is not stored yet; its events wait',
        );
        return false;
      }
      const oldest = Date.parse(task.pendingEvents?.[0]?.timestamp ?? '');
      if (now() - oldest < RELAY_AFTER_MS) outbox.publish(task);
      return true;
    },
    start() {
      sink.outbox.start();
      outbox.start();
    },
    async stop() {
      await Promise.all([outbox.stop(), sink.outbox.stop()]);
    },
  };
}
