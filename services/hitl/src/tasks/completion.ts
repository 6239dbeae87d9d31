import type { Collection, DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createOutbox, type Outbox } from '@svcforms/outbox';
import type { Clock, Logger, Tracing } from '@svcforms/primitives';
import {
  createSubmissionOutbox,
  storeSubmission,
  submissionOfTask,
  taskEvent,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import type { Waiters } from './waiters.ts';

interface TaskOutboxDeps {
  store: DocumentStore;
  bus: Pick<EventBus, 'publishTogether' | 'publishedSince'>;
  tasks: Collection<TaskRecord>;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
  now: Clock;
}

interface TaskOutbox {
  /** Publishes the events of tasks, each after the submission that it names is stored. */
  events: Outbox<TaskRecord>;
  submissions: Collection<SubmissionRecord>;
  /** Stores the submission of a resolved task unless it is already stored. */
  storeSubmission: (task: TaskRecord) => Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createTaskOutbox({ tasks, ...deps }: TaskOutboxDeps): TaskOutbox {
  const sink = createSubmissionOutbox(deps);

  async function storeSubmissionOf(task: TaskRecord): Promise<void> {
    if (task.submissionId !== undefined) await storeSubmission(sink, submissionOfTask(task));
  }

  const events = createOutbox<TaskRecord>({
    collection: tasks,
    bus: deps.bus,
    render: taskEvent,
    prepare: storeSubmissionOf,
    tracing: deps.tracing,
    log: deps.log,
    now: deps.now,
  });

  return {
    events,
    submissions: sink.submissions,
    storeSubmission: storeSubmissionOf,
    start() {
      sink.outbox.start();
      events.start();
    },
    async stop() {
      await Promise.all([events.stop(), sink.outbox.stop()]);
    },
  };
}

interface CompletionDeps {
  outbox: Pick<TaskOutbox, 'events' | 'storeSubmission'>;
  waiters: Pick<Waiters, 'notify'>;
  /** Sends the callback in the background. */
  sendCallback: (task: TaskRecord) => void;
  log: Pick<Logger, 'warn'>;
}

/**
 * Completes a task that was just resolved: its submission, its events, the requests that wait for
 * it, its callback. Nobody outside learns of a submission that isn't stored, so the events and the
 * callback wait for it. Never rejects. After a crash or a failure, the relay of the outbox stores
 * the submission and publishes, and a sweep sends the callback.
 */
export function createCompletion({ outbox, waiters, sendCallback, log }: CompletionDeps) {
  async function storeSubmission(task: TaskRecord): Promise<boolean> {
    try {
      await outbox.storeSubmission(task);
      return true;
    } catch (error) {
      log.warn(
        { event: 'task.waiting', taskId: task._id, submissionId: task.submissionId, err: error },
        'storing the submission of a resolved task failed; the relay retries before it publishes',
      );
      return false;
    }
  }

  return async function complete(task: TaskRecord): Promise<void> {
    const isStored = await storeSubmission(task);
    if (isStored) outbox.events.publish(task);
    waiters.notify(task);
    if (isStored) sendCallback(task);
  };
}
