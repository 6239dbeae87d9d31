import { z } from 'zod';
import { idOut, timeOut } from '../api/schema-parts.ts';

/** Limits of a policy. See docs/reference/tasks.md#policies. */
const POLICY_LIMITS = { approvals: 10, users: 100, groups: 20 } as const;
/** Longest time until a reminder or an escalation, in seconds: as long as a task can live. */
const MAX_FOLLOW_UP = 31_536_000;

const ids = (max: number, description: string, example: string) =>
  z
    .array(z.string().min(1).max(100))
    .max(max)
    .overwrite((values) => [...new Set(values)])
    .meta({ description, example: [example] });

const approvals = z
  .union([z.int().min(1).max(POLICY_LIMITS.approvals), z.literal('all')], {
    error: `must be a whole number from 1 to ${POLICY_LIMITS.approvals}, or "all"`,
  })
  .meta({
    description: 'How many people must approve, 1 to 10, or `all` reviewers. Default: 1.',
    example: 2,
  });

/**
 * Who decides a task, and how many of them must approve it. See docs/reference/tasks.md#policies.
 */
export const TaskPolicy = z
  .strictObject({
    approvals: approvals.optional(),
    users: ids(
      POLICY_LIMITS.users,
      'Ids of the users who may vote. Default, if `groups` is empty too: everyone who may decide tasks.',
      'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    ).optional(),
    groups: ids(
      POLICY_LIMITS.groups,
      'Ids of the groups whose members may vote.',
      'grp_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    ).optional(),
  })
  .meta({ id: 'TaskPolicy', description: 'Who decides the task. Its creator never counts.' });
export type TaskPolicy = z.output<typeof TaskPolicy>;

const followUpSeconds = (description: string, example: number) =>
  z.int().min(1).max(MAX_FOLLOW_UP).meta({ description, example });

/** The follow-ups of a task that nobody has decided, in tasks and in the defaults of a form. */
export const followUpShape = {
  remindAfterSeconds: followUpSeconds(
    'Seconds from creation until reviewers who have not voted get one reminder; less than the time to the expiry.',
    3600,
  ).optional(),
  escalateAfterSeconds: followUpSeconds(
    'Seconds from creation until the members of `escalateTo` may decide too; less than the time to the expiry.',
    7200,
  ).optional(),
  escalateTo: z
    .string()
    .min(1)
    .max(100)
    .meta({
      description: 'Id of the group for `escalateAfterSeconds`.',
      example: 'grp_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    })
    .optional(),
};

/** Reports half an escalation. */
export function checkFollowUps(
  given: { escalateAfterSeconds?: number | undefined; escalateTo?: string | undefined },
  context: z.RefinementCtx,
): void {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (given.escalateTo !== undefined && given.escalateAfterSeconds === undefined)
    refuse('escalateAfterSeconds', 'is required with escalateTo');
  if (given.escalateAfterSeconds !== undefined && given.escalateTo === undefined)
    refuse('escalateTo', 'is required with escalateAfterSeconds');
}

const VOTE_OUTCOMES = ['approved', 'rejected', 'submitted'] as const;

/** A vote on a task with a policy. */
export const TaskVote = z
  .object({
    by: idOut('usr', 'User who voted.'),
    byName: z
      .string()
      .meta({ description: 'Name of the user at the time of the vote.', example: 'Ada Lovelace' })
      .optional(),
    outcome: z.enum(VOTE_OUTCOMES).meta({ description: 'The vote.', example: 'approved' }),
    at: timeOut('When the user voted.'),
    comment: z.string().meta({ description: 'Comment of the user.', example: 'Go ahead.' }).optional(),
    via: z
      .string()
      .meta({
        description: 'API key of the user with which they voted. Absent for a vote in the dashboard.',
        example: 'key_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
      })
      .optional(),
  })
  .meta({ id: 'TaskVote', description: 'A vote that counts.' });
export type TaskVote = z.output<typeof TaskVote>;

/** How far a pending task with a policy is. */
export const TaskProgress = z
  .object({
    required: z.int().meta({ description: 'Required approvals.', example: 2 }),
    approved: z.int().meta({
      description: 'Approvals by people who may still vote.',
      example: 1,
    }),
    remaining: z.int().meta({ description: 'Approvals that are missing.', example: 1 }),
    eligible: z.int().meta({ description: 'People who may vote, including those who have.', example: 3 }),
    waitingFor: z
      .array(
        z
          .object({
            id: idOut('usr', 'Id of the user.'),
            name: z.string().meta({ description: 'Name of the user.', example: 'Grace Hopper' }),
          })
          .meta({ id: 'TaskReviewer', description: 'A person who may vote.' }),
      )
      .meta({ description: 'People who may vote and have not; at most 100.' }),
    isBlocked: z.boolean().meta({
      description:
        'Whether too few people are left to approve the task, because some left since its creation.',
      example: false,
    }),
  })
  .meta({ id: 'TaskProgress', description: 'Votes that a pending task still needs.' });
export type TaskProgress = z.output<typeof TaskProgress>;

/** Request body of POST …/delegate. See docs/reference/tasks.md#delegation. */
export const DelegateIn = z
  .strictObject({
    to: z.string().min(1).max(320).meta({
      description: 'Id or email of the user who votes instead.',
      example: 'usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y',
    }),
    comment: z
      .string()
      .max(2_000)
      .meta({ description: 'Shown in the activity of the task.', example: 'Away until Monday' })
      .optional(),
  })
  .meta({ id: 'DelegateIn', description: 'The person who votes instead of the caller.' });
export type DelegateIn = z.output<typeof DelegateIn>;

/** What counting needs of a vote. */
export interface CastVote {
  by: string;
  outcome: (typeof VOTE_OUTCOMES)[number];
}

/** The people who may vote on a task. */
export interface Electorate {
  /** Ids of the reviewers of the policy. */
  reviewers: ReadonlySet<string>;
  /** Ids of the people whom an escalation added. */
  standIns: ReadonlySet<string>;
}

export interface Count {
  required: number;
  approved: number;
  remaining: number;
  /** Ids of the people who may vote and haven't. */
  waitingFor: string[];
  isMet: boolean;
  isBlocked: boolean;
}

/**
 * The votes of people who may still vote. Those of others stop counting, until these people are
 * back. Pure.
 */
export const countingVotes = <Vote extends Pick<CastVote, 'by'>>(
  votes: readonly Vote[],
  { reviewers, standIns }: Electorate,
): Vote[] => votes.filter(({ by }) => reviewers.has(by) || standIns.has(by));

/**
 * Counts votes. Only votes of people who may still vote count. `all` means all reviewers of the
 * policy; a stand-in's approval replaces a missing one. Pure. docs/reference/tasks.md#votes
 */
export function countVotes(
  required: number | 'all',
  { reviewers, standIns }: Electorate,
  votes: readonly CastVote[],
): Count {
  const eligible = new Set([...reviewers, ...standIns]);
  const voted = new Set(votes.map(({ by }) => by));
  const counting = countingVotes(votes, { reviewers, standIns });
  const approved = counting.filter(({ outcome }) => outcome === 'approved').length;
  // Without any reviewer left, `all` must not mean none.
  const needed = required === 'all' ? Math.max(reviewers.size, 1) : required;
  const remaining = Math.max(needed - approved, 0);
  const waitingFor = [...eligible].filter((id) => !voted.has(id));
  return {
    required: needed,
    approved,
    remaining,
    waitingFor,
    isMet: remaining === 0,
    isBlocked: remaining > waitingFor.length,
  };
}
