import { createCachedFinder, createWorkPollSchedule, type DocumentStore } from '@svcforms/document-store';
import { DURABLES, type ConsumeOptions, type Consumption, type EventBus } from '@svcforms/event-bus';
import {
  createFormAccess,
  ACCOUNTS,
  INVITATIONS,
  PASSWORD_RESETS,
  USERS,
  type AccountRecord,
  type InvitationRecord,
  type PasswordResetRecord,
  type UserRecord,
} from '@svcforms/identity';
import {
  createPollSchedule,
  pause,
  waitAtMost,
  type Clock,
  type CreateJob,
  type Logger,
  type PollSchedule,
} from '@svcforms/primitives';
import {
  createRequestVerification,
  FORMS,
  MAIL_COUNTERS,
  NOTIFICATION_ADDRESSES,
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
  type FormRecord,
  type MailCounterRecord,
  type NotificationAddressRecord,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { EVENT_WAIT_MS, type StoreRetries } from '../store/store-retry.ts';
import type { SecretBox } from '@svcforms/signing';
import { createComposeLinkMails } from './compose-link-mails.ts';
import { createComposeMail } from './compose-mail.ts';
import { createComposeTaskMail } from './compose-task-mail.ts';
import { createQueueLoginMails } from './login-mails.ts';
import { createLimitMails, type MailLimits } from './mail-limits.ts';
import { MAILS, type MailRecord } from './mail-record.ts';
import { createMailSender, type MailOutcome } from './mail-sender.ts';
import { MAIL_WINDOWS, type MailWindowRecord } from './mail-windows.ts';
import type { Mailer } from './mailer.ts';
import { createRecipients } from './recipients.ts';
import { createQueueSlackFallback } from './slack-fallback.ts';
import { createQueueSubmissionMails } from './submission-mails.ts';
import { createQueueTaskMails } from './task-mails.ts';
import { createQueueTaskNotices } from './task-notices.ts';
import { createQueueUserNotices } from './user-notices.ts';
import { createQueueVerificationMails } from './verification-mails.ts';
import { createQueueWebhookNotices } from './webhook-notices.ts';

const CONSUME = {
  batch: 200,
  ackWaitMs: EVENT_WAIT_MS,
  /** The events about which emails are sent. */
  only: ['form.submission.new', 'hitl.task.created'],
} satisfies ConsumeOptions;
/**
 * After a batch that isn't full, the next one collects events for this time: each batch costs
 * queries.
 */
const COLLECT_MS = 100;
const EVERY_MS = 1_000;
/** The pauses between the attempts to send an email, in seconds: two days altogether. */
const RETRY_SCHEDULE = [5, 30, 120, 600, 1_800, 3_600, 3 * 3_600, 6 * 3_600, 12 * 3_600, 24 * 3_600];
/** An email that takes longer is sent again when its lease has expired. */
const SENDING_MAY_TAKE_MS = 20_000;

interface MailConfig {
  mailLimits: MailLimits;
  /** The origin of links in emails. */
  baseUrl: string;
  /** Default: {@link RETRY_SCHEDULE}. */
  mailScheduleSeconds?: readonly number[];
}

interface MailDeps {
  config: MailConfig;
  store: Pick<DocumentStore, 'collection'>;
  bus: Pick<EventBus, 'consume'>;
  mailer: Pick<Mailer, 'send'>;
  secretBox: Pick<SecretBox, 'seal'>;
  metrics: { countMail: (outcome: MailOutcome) => void };
  retry: StoreRetries;
  /** Resolves when the store responds. */
  untilReady: NonNullable<ConsumeOptions['untilReady']>;
  createJob: CreateJob;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Aborts when the service stops. */
  signal: AbortSignal;
  now: Clock;
}

/** Queues emails about events and stored notices in the mail outbox, and sends them. */
export function createMail(deps: MailDeps): { start(): Promise<void>; stop(): Promise<void> } {
  const { config, store, bus, mailer, secretBox, metrics, retry, untilReady, createJob } = deps;
  const { log, signal, now } = deps;
  const mails = store.collection<MailRecord>(MAILS);
  const forms = store.collection<FormRecord>(FORMS);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const tasks = store.collection<TaskRecord>(TASKS);
  const users = store.collection<UserRecord>(USERS);
  const webhooks = store.collection<WebhookRecord>(WEBHOOKS);
  const addresses = store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES);
  const mailCounters = store.collection<MailCounterRecord>(MAIL_COUNTERS);
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  const invitations = store.collection<InvitationRecord>(INVITATIONS);
  const resets = store.collection<PasswordResetRecord>(PASSWORD_RESETS);
  const limitMails = createLimitMails({
    mails,
    windows: store.collection<MailWindowRecord>(MAIL_WINDOWS),
    counters: mailCounters,
    users,
    limits: config.mailLimits,
    log,
    now,
  });
  const queueSubmissionMails = createQueueSubmissionMails({
    findForm: createCachedFinder(forms, '_id'),
    submissions,
    mails,
    recipientsOf: createRecipients({
      addresses,
      users,
      requestVerification: createRequestVerification({ addresses, counters: mailCounters, now }),
      now,
    }),
    limitMails,
    retry: retry.intake,
    now,
  });
  const queueTaskMails = createQueueTaskMails({ tasks, users, mails, retry: retry.intake, now });
  const queueTaskNotices = createQueueTaskNotices({ tasks, users, mails, now });
  const queueSlackFallback = createQueueSlackFallback({ tasks, users, mails, log, now });
  const queueWebhookNotices = createQueueWebhookNotices({ webhooks, users, mails, log, now });
  const queueVerificationMails = createQueueVerificationMails({ addresses, mails, now });
  const queueUserNotices = createQueueUserNotices({ users, mails, now });
  const { queueResets, queueInvitations } = createQueueLoginMails({ users, invitations, resets, mails, now });
  const { baseUrl } = config;
  const compose = createComposeMail({
    forms,
    submissions,
    mails,
    addresses,
    accounts,
    users,
    composeTaskMail: createComposeTaskMail({
      tasks,
      users,
      access: createFormAccess({ store }),
      secretBox,
      baseUrl,
      now,
    }),
    composeLinkMails: createComposeLinkMails({ accounts, users, invitations, addresses, baseUrl, now }),
    baseUrl,
  });
  const sendDue = createMailSender({
    mails,
    compose,
    mailer,
    retryScheduleSeconds: config.mailScheduleSeconds ?? RETRY_SCHEDULE,
    retryResult: retry.results,
    countMail: metrics.countMail,
    log,
    signal,
    now,
  });

  /** Emails that are queued or wait for a retry. The others are for what has to be queued. */
  const mailSchedule = createPollSchedule({ now });
  const notices: readonly [PollSchedule, () => Promise<string | undefined>][] = [
    [createWorkPollSchedule(webhooks, { now }), queueWebhookNotices],
    [createPollSchedule({ now }), queueSlackFallback],
    [createWorkPollSchedule(addresses, { now }), queueVerificationMails],
    [createWorkPollSchedule(users, { now }), queueUserNotices],
    [createWorkPollSchedule(resets, { now }), queueResets],
    [createWorkPollSchedule(invitations, { now }), queueInvitations],
  ];
  const sending = createJob('sending emails', EVERY_MS, () => mailSchedule.pollIfDue(sendDue));
  const sendSoon = () => {
    mailSchedule.wake();
    sending.runAt(now());
  };
  // A job of its own, because sending lasts as long as emails become due faster than they are sent.
  const queueing = createJob('queueing emails', EVERY_MS, async () => {
    const sendIfFound = (found: string | undefined) => {
      if (found !== undefined) sendSoon();
      return found;
    };
    // Searched for on each run, so that a reminder is queued in time, even if a process dies.
    sendIfFound(await queueTaskNotices());
    for (const [schedule, queue] of notices) await schedule.pollIfDue(async () => sendIfFound(await queue()));
  });
  let consumption: Consumption | undefined;

  return {
    async start() {
      consumption = await bus.consume(DURABLES.mail, { ...CONSUME, untilReady }, async (batch) => {
        const queued = [await queueSubmissionMails(batch), await queueTaskMails(batch)];
        if (queued.includes(true)) sendSoon();
        if (batch.length < CONSUME.batch) await pause(COLLECT_MS, signal);
      });
      queueing.start();
      sending.start();
    },
    async stop() {
      await Promise.all([
        consumption?.stop(),
        ...[queueing, sending].map((job) => waitAtMost(job.stop(), SENDING_MAY_TAKE_MS)),
      ]);
    },
  };
}
