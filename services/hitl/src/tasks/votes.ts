import { AppError, countingVotes, countVotes, type DecisionIn } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reviewers } from '@svcforms/identity';
import { isoTime, type Clock } from '@svcforms/primitives';
import { pendingValues, type FormRecord, type TaskRecord, type TaskVoteRecord } from '@svcforms/records';
import { originOf, type Actor } from './actor.ts';
import { checkDecision } from './check-decision.ts';
import { canonicalJson } from './dedupe.ts';
import type { FindEvidence, Evidence } from './evidence.ts';
import { historyEntry } from './history.ts';
import type { Receipts } from './receipts.ts';
import { decidableBy, dueSlackUpdate, resolutionOf, resolveWithOutcome } from './resolve-task.ts';
import { reviewOf, type PolicyTask, type Review } from './review.ts';
import type { TaskAccess } from './task-access.ts';
import { claimedError, isClaimedByOther, notAReviewer } from './task-errors.ts';

/** Of votes that are cast at the same time, one more counts in each round. */
const VOTE_TRIES = 200;

interface VotesDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOneAndUpdate'>;
  forms: Pick<Collection<FormRecord>, 'findOne'>;
  reviewers: Pick<Reviewers, 'of' | 'personOf'>;
  receipts: Pick<Receipts, 'issue'>;
  findEvidence: FindEvidence;
  access: Pick<TaskAccess, 'findAwaiting'>;
  /** See `createCompletion`. */
  complete: (task: TaskRecord) => Promise<void>;
  now: Clock;
}

/** Throws if the decision must not be stored with the task in this state. */
export type CheckTask = (task: TaskRecord) => void;

/** The effect of a vote, before it is stored. */
type Ballot =
  | { resolves: true; votes: TaskVoteRecord[] }
  /**
   * `votes`: absent if the vote repeats an earlier one. `isReset`: whether it voids the votes of
   * others.
   */
  | { resolves: false; votes?: TaskVoteRecord[]; isReset?: boolean };

/**
 * Votes on tasks with a policy. Each vote is one conditional update on the votes that it was
 * counted with, so that of any number of concurrent votes exactly one resolves the task. ADR 0081
 */
export function createVotes(deps: VotesDeps) {
  const { tasks, forms, reviewers, receipts, findEvidence, access, complete, now } = deps;

  /** @returns the id of the user for whom the actor may vote. @throws AppError `NOT_A_REVIEWER` */
  async function voterOf(actor: Actor, task: PolicyTask, review: Review): Promise<string> {
    const person = await reviewers.personOf(originOf(actor));
    const creators = task.creators ?? [];
    if (creators.includes(actor.by) || (person !== undefined && creators.includes(person)))
      throw notAReviewer('creator');
    if (person === undefined) throw notAReviewer('not_a_person');
    if (!review.reviewers.has(person) && !review.standIns.has(person)) throw notAReviewer('not_listed');
    return person;
  }

  /**
   * Votes; @returns the task, which is still awaiting unless the vote resolves it. `changed`: false
   * if the vote repeats an earlier one.
   */
  async function vote(
    actor: Actor,
    found: PolicyTask,
    decision: DecisionIn,
    check?: CheckTask,
  ): Promise<{ task: TaskRecord; changed: boolean }> {
    let task = found;
    for (let tries = 0; tries < VOTE_TRIES; tries++) {
      check?.(task);
      if (isClaimedByOther(task, actor.by, isoTime(now()))) throw claimedError(task);
      const review = await reviewOf(reviewers, task);
      const by = await voterOf(actor, task, review);
      const evidence = findEvidence(actor, task, decision.mailLink);
      const form = await forms.findOne({ _id: task.formId, deletedAt: null });
      const values = checkDecision(task, form, decision);
      const isChange = decision.outcome === 'approved' && changesValues(task, decision, values);
      const ballot = ballotOf(task, review, {
        vote: voteOf(actor, { by, byName: review.names.get(by), at: isoTime(now()) }, decision),
        isChange,
      });
      if (!ballot.resolves && !ballot.votes) return { task, changed: false };
      const counting = countingVotes(ballot.votes ?? [], review);
      const stored = ballot.resolves
        ? await resolveWithOutcome(deps, task, {
            ...resolutionOf(actor, decision, {
              form,
              values,
              evidence,
              receipt:
                decision.outcome === 'approved' ? receipts.issue(task, approversIn(counting)) : undefined,
            }),
            votes: counting,
          })
        : await store(actor, task, {
            by,
            evidence,
            ballot,
            decision,
            proposal: isChange ? values : undefined,
          });
      if (stored) {
        if (ballot.resolves) await complete(stored);
        return { task: stored, changed: true };
      }
      task = (await access.findAwaiting(actor, task._id)) as PolicyTask;
    }
    throw new AppError('CONFLICT', 'Too many others are voting on this task. Try again.');
  }

  function store(
    actor: Actor,
    task: PolicyTask,
    {
      by,
      evidence: { channel, proof, linkId },
      ballot: { votes = [], isReset },
      decision: { outcome, comment },
      proposal,
    }: {
      by: string;
      evidence: Evidence;
      ballot: Extract<Ballot, { resolves: false }>;
      decision: DecisionIn;
      proposal: Record<string, unknown> | undefined;
    },
  ): Promise<TaskRecord | null> {
    const time = isoTime(now());
    const isOwnClaim = task.claimedBy === actor.by;
    return tasks.findOneAndUpdate(
      {
        _id: task._id,
        status: 'awaiting',
        revision: task.revision ?? null,
        ...decidableBy(actor.by, time),
      },
      {
        $set: {
          votes,
          revision: (task.revision ?? 0) + 1,
          proposal: proposal === undefined ? undefined : JSON.stringify(proposal),
          ...dueSlackUpdate(task, time),
        },
        // Others have to vote too.
        ...(isOwnClaim ? { $unset: { claimedBy: true, claimedUntil: true } } : {}),
        $push: {
          ...(linkId !== undefined && { usedLinks: { $each: [linkId] } }),
          history: historyEntry(
            { at: time, event: 'voted', by, outcome, channel, proof, comment },
            ...(isReset ? [{ at: time, event: 'votes_reset', by }] : []),
          ),
        },
      },
    );
  }

  return { vote, voterOf };
}

function voteOf(
  actor: Actor,
  { by, byName, at }: { by: string; byName: string | undefined; at: string },
  { outcome, comment }: DecisionIn,
): TaskVoteRecord {
  return {
    by,
    ...(byName !== undefined && { byName }),
    outcome,
    at,
    ...(comment !== undefined && { comment }),
    ...(actor.by === by ? {} : { via: actor.by }),
  };
}

const approversIn = (votes: readonly TaskVoteRecord[]): string[] =>
  votes.filter(({ outcome }) => outcome === 'approved').map(({ by }) => by);

/**
 * Decides what a vote does. A rejection and a submission resolve the task; an approval does when it
 * is the last one that the policy needs. An approval that changes values voids the approvals of the
 * values before. A person has one vote: a second approval changes nothing, but is counted again,
 * because people may have left since the first one. Pure. docs/reference/tasks.md#votes
 */
function ballotOf(
  { policy, votes = [] }: Pick<PolicyTask, 'policy' | 'votes'>,
  review: Pick<Review, 'reviewers' | 'standIns'>,
  { vote, isChange }: { vote: TaskVoteRecord; isChange: boolean },
): Ballot {
  const others = votes.filter(({ by }) => by !== vote.by);
  if (vote.outcome !== 'approved') return { resolves: true, votes: [...others, vote] };
  const earlier = votes.find(({ by }) => by === vote.by);
  const next = isChange ? [vote] : earlier ? votes : [...votes, vote];
  if (countVotes(policy.approvals, review, next).isMet) return { resolves: true, votes: next };
  if (earlier && !isChange) return { resolves: false };
  return { resolves: false, votes: next, isReset: isChange && others.length > 0 };
}

/** Whether the decision has other values than the ones that were voted on so far. */
function changesValues(
  task: PolicyTask,
  { fields }: DecisionIn,
  values: Readonly<Record<string, unknown>>,
): boolean {
  const before = pendingValues(task);
  const textOf = (value: unknown) => canonicalJson(value ?? null);
  return Object.keys(fields).some((name) => textOf(values[name]) !== textOf(before[name]));
}
