import { z } from 'zod';
import { idOut, timeOut } from '../api/schema-parts.ts';
import { SubmissionMetadata } from '../forms/submission.ts';
import { minimalSampleOf, sampleOf } from '../api/sample.ts';
import { TASK_PRIORITIES } from '../tasks/task.ts';
import { EVENT_TYPES, type EventType } from './events.ts';

/**
 * The value of the header `Svc-Payload-Version`. It counts changes that could break an endpoint;
 * a new property isn't one. docs/reference/webhooks.md#event-catalog
 */
export const PAYLOAD_VERSION = '1';

const values = z
  .record(z.string(), z.unknown())
  .meta({ description: 'Values by field name.', example: { email: 'ada@example.com', message: 'Hello' } });

const head = <T extends EventType>(type: T) => ({
  eventType: z.literal(type).meta({ description: 'Type of the event.', example: type }),
  timestamp: timeOut('When the event occurred.'),
});

/** The part of the metadata that a submission from another system has. */
const InboundMetadata = z
  .object({
    submittedVia: z
      .literal('inbound')
      .meta({ description: 'Source of the submission: another system.', example: 'inbound' }),
    ...SubmissionMetadata.pick({ ipAddress: true, userAgent: true }).shape,
  })
  .meta({ description: 'Metadata of the submission.' });

function submissionPayload(
  type: 'form.submission.new' | 'submission.created',
  id: string,
  metadata: z.ZodType,
) {
  const { eventType, timestamp } = head(type);
  return z
    .object({
      eventType,
      formId: idOut('frm', 'Form that was submitted.'),
      submissionId: idOut('sub', 'Id of the submission.'),
      timestamp,
      data: values,
      metadata,
    })
    .meta({ id, description: `Payload of \`${type}\`.` });
}

function decisionPayload(outcome: 'approved' | 'rejected', id: string) {
  const decision = z
    .object({
      outcome: z.literal(outcome).meta({ description: 'The decision.', example: outcome }),
      taskId: idOut('tsk', 'Task that was decided.'),
    })
    .meta({ description: 'The decision and its task.' });
  const data = z
    .object({
      formId: idOut('frm', 'Form of the task.'),
      submissionId: idOut('sub', 'Submission that the decision created.'),
      decision,
    })
    .meta({ description: 'What was decided.' });
  return z
    .object({ ...head(`decision.${outcome}`), data })
    .meta({ id, description: `Payload of \`decision.${outcome}\`.` });
}

function taskPayload(type: `hitl.task.${string}` & EventType, id: string, own: z.core.$ZodLooseShape) {
  const data = z
    .object({
      taskId: idOut('tsk', 'Id of the task.'),
      hitlTaskId: idOut('tsk', 'The same id.'),
      templateId: idOut('frm', 'Form of the task.'),
      userId: idOut('usr', 'Assignee, otherwise who created the task, otherwise the first owner.'),
      ...own,
      title: z.string().meta({ description: 'Title of the task.', example: 'Refund of 120 EUR' }).optional(),
      url: z.string().meta({
        description: 'Page of the task in the inbox.',
        example: 'https://forms.example.com/tasks/tsk_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      }),
    })
    .meta({ description: 'The task.' });
  return z.object({ ...head(type), data }).meta({ id, description: `Payload of \`${type}\`.` });
}

interface EventDescription {
  /** When the event is sent. */
  description: string;
  /** The name of the operation in the OpenAPI document. */
  operationId: string;
  /** The body of a webhook with the format `envelope`. */
  payload: z.ZodType;
}

/** Every event type with the payload that webhooks get. docs/reference/webhooks.md#event-catalog */
export const EVENT_CATALOG: Readonly<Record<EventType, EventDescription>> = {
  'form.submission.new': {
    description: 'A visitor or another system submitted the form.',
    operationId: 'onFormSubmissionNew',
    payload: submissionPayload('form.submission.new', 'FormSubmissionNewPayload', SubmissionMetadata),
  },
  'submission.created': {
    description: 'Another system submitted the form through an inbound endpoint.',
    operationId: 'onSubmissionCreated',
    payload: submissionPayload('submission.created', 'SubmissionCreatedPayload', InboundMetadata),
  },
  'decision.requested': {
    description: 'Somebody created a task on the form.',
    operationId: 'onDecisionRequested',
    payload: z
      .object({
        ...head('decision.requested'),
        data: z
          .object({ formId: idOut('frm', 'Form of the task.') })
          .meta({ description: 'The form. The header `Svc-Task-Id` names the task.' }),
      })
      .meta({ id: 'DecisionRequestedPayload', description: 'Payload of `decision.requested`.' }),
  },
  'decision.approved': {
    description: 'A task was approved.',
    operationId: 'onDecisionApproved',
    payload: decisionPayload('approved', 'DecisionApprovedPayload'),
  },
  'decision.rejected': {
    description: 'A task was rejected.',
    operationId: 'onDecisionRejected',
    payload: decisionPayload('rejected', 'DecisionRejectedPayload'),
  },
  'hitl.task.created': {
    description: 'Somebody created a task. Only for account webhooks.',
    operationId: 'onHitlTaskCreated',
    payload: taskPayload('hitl.task.created', 'HitlTaskCreatedPayload', {
      priority: z.enum(TASK_PRIORITIES).meta({ description: 'Priority of the task.', example: 'normal' }),
      expiresAt: timeOut('When the task expires.'),
    }),
  },
  'hitl.task.completed': {
    description: 'A task was approved, rejected or submitted. Only for account webhooks.',
    operationId: 'onHitlTaskCompleted',
    payload: taskPayload('hitl.task.completed', 'HitlTaskCompletedPayload', {
      submissionId: idOut('sub', 'Submission that the task created.'),
      completedAt: timeOut('When the task was completed.'),
      submission: values,
    }),
  },
  'hitl.task.expired': {
    description: 'A task expired without a decision. Only for account webhooks.',
    operationId: 'onHitlTaskExpired',
    payload: taskPayload('hitl.task.expired', 'HitlTaskExpiredPayload', {
      expiredAt: timeOut('When the task expired.'),
    }),
  },
  'hitl.task.cancelled': {
    description: 'A task was cancelled, by a call or with its key. Only for account webhooks.',
    operationId: 'onHitlTaskCancelled',
    payload: taskPayload('hitl.task.cancelled', 'HitlTaskCancelledPayload', {
      cancelledAt: timeOut('When the task was cancelled.'),
      reason: z.string().meta({ description: 'Reason that was given.', example: 'Not needed' }).optional(),
    }),
  },
};

/** An entry of GET /api/event-types. */
const EventTypeOut = z
  .object({
    type: z.enum(EVENT_TYPES).meta({ description: 'The event type.', example: 'decision.requested' }),
    description: z
      .string()
      .meta({ description: 'When the event is sent.', example: 'Somebody created a task on the form.' }),
    version: z.string().meta({
      description: 'Version of the payload, as in the header `Svc-Payload-Version`.',
      example: PAYLOAD_VERSION,
    }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'A payload with every property.', example: samples('decision.requested').full }),
    minimalExample: z.record(z.string(), z.unknown()).meta({
      description: 'A payload with only the properties that are always present.',
      example: samples('decision.requested').minimal,
    }),
    schema: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema (2020-12) of the payload.',
      example: { $schema: 'https://json-schema.org/draft/2020-12/schema' },
    }),
  })
  .meta({ id: 'EventType', description: 'An event type and the payload that webhooks get.' });
export type EventTypeOut = z.output<typeof EventTypeOut>;

/** Response data of GET /api/event-types. */
export const EventTypesOut = z
  .array(EventTypeOut)
  .meta({ id: 'EventTypes', description: 'Every event type, in the order of the reference.' });

/** Returns every event type as in responses. */
export function eventTypesOut(): EventTypeOut[] {
  return EVENT_TYPES.map((type) => {
    const { full, minimal } = samples(type);
    return {
      type,
      description: EVENT_CATALOG[type].description,
      version: PAYLOAD_VERSION,
      example: full,
      minimalExample: minimal,
      schema: schemaOf(EVENT_CATALOG[type].payload),
    };
  });
}

/**
 * Returns a payload of the event with every property, and one with those that are always present.
 */
export function samples(type: EventType) {
  const { payload } = EVENT_CATALOG[type];
  return {
    full: sampleOf(payload, 'output') as Record<string, unknown>,
    minimal: minimalSampleOf(payload, 'output') as Record<string, unknown>,
  };
}

/**
 * Returns a JSON Schema without references: several clients can't follow one at the root. It allows
 * further properties, as a new property isn't a new version.
 */
function schemaOf(payload: z.ZodType): Record<string, unknown> {
  const { $schema, $defs = {}, ...root } = z.toJSONSchema(payload, { io: 'input' });
  return { $schema, ...inlined(root, $defs) };
}

type Schema = Record<string, unknown>;

function inlined(schema: Schema, definitions: Record<string, Schema>): Schema {
  const { id: _, example, $ref, properties, ...rest } = schema;
  if (typeof $ref === 'string') return inlined(definitions[$ref.replace('#/$defs/', '')] ?? {}, definitions);
  const members = Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, member]) => [
    name,
    inlined(member, definitions),
  ]);
  return {
    ...rest,
    ...(example === undefined ? {} : { examples: [example] }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) as Schema }),
  };
}
