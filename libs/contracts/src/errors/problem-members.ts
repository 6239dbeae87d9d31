import { z } from 'zod';

/**
 * Members of the problem object (RFC 9457) that only some errors have. The OpenAPI document
 * describes them, so that generated clients can read them. See docs/errors.md.
 */
export const PROBLEM_MEMBERS = {
  requiredScope: z.string().optional().meta({
    description: 'With `INSUFFICIENT_SCOPE`: the scope that the request needs, or `session` or `owner`',
  }),
  challenge: z.string().optional().meta({
    description: 'With `SECOND_FACTOR_REQUIRED`: what to send with the code',
  }),
  version: z.int().optional().meta({
    description: 'With `CONFLICT`, if the form has changed: its current version',
  }),
  eventTypes: z.array(z.string()).optional().meta({
    description: 'With `UNKNOWN_EVENT_TYPE`: the known event types',
  }),
  outcome: z.string().optional().meta({
    description: 'With `TASK_ALREADY_SETTLED`: `approved`, `rejected`, `submitted` or `cancelled`',
  }),
  claimedBy: z.string().optional().meta({
    description: 'With `TASK_CLAIMED`: id of the user or API key that has claimed the task',
  }),
  claimedUntil: z.iso.datetime().optional().meta({
    description: 'With `TASK_CLAIMED`: when the claim ends',
  }),
  reason: z.string().optional().meta({
    description: 'With `NOT_A_REVIEWER`: `not_listed`, `creator` or `not_a_person`',
  }),
  redeemedAt: z.iso.datetime().optional().meta({
    description: 'With `RECEIPT_REDEEMED`: when the receipt was redeemed',
  }),
  failing: z.array(z.string()).optional().meta({
    description: 'With `UNAVAILABLE` on `/readyz`: the failing checks',
  }),
};

export type ProblemMembers = z.infer<z.ZodObject<typeof PROBLEM_MEMBERS>>;
