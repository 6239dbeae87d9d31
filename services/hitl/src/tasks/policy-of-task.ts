import type { Issue, TaskIn } from '@svcforms/contracts';
import type { FormRef, Reviewers } from '@svcforms/identity';
import { isoTime } from '@svcforms/primitives';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import { originOf, type Actor } from './actor.ts';
import { nextFollowUp } from './follow-ups.ts';
import { decidersIn, reviewOf } from './review.ts';

type PolicyFields = Pick<
  TaskRecord,
  | 'policy'
  | 'hasDefaultPolicy'
  | 'creators'
  | 'firstReviewers'
  | 'votes'
  | 'remindAt'
  | 'escalateAt'
  | 'escalateTo'
  | 'followUpAt'
>;

interface Given {
  actor: Actor;
  input: TaskIn;
  form: Pick<FormRecord, '_id' | 'settings'>;
  /** Id of the task's assignee. */
  assignee: string | undefined;
  /** When the task is created and expires, in milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
}

/**
 * The policy and the follow-ups of a new task: those of the request, else the defaults of its form.
 * A policy that can't be met now is an issue. docs/reference/tasks.md#policies
 */
export async function policyOfTask(
  reviewers: Pick<Reviewers, 'of' | 'creatorsOf' | 'findGroup' | 'findPerson'>,
  given: Given,
): Promise<{ fields: PolicyFields; issues: Issue[] }> {
  const { actor, input, form, createdAt } = given;
  const policy = input.policy ?? form.settings.tasks?.policy;
  const creators = policy ? await reviewers.creatorsOf(originOf(actor)) : [];
  const followUps = await followUpsOf(reviewers, given, creators);
  if (!policy) {
    const followUpAt = nextFollowUp(followUps.fields, createdAt);
    return {
      fields: { ...followUps.fields, ...(followUpAt !== undefined && { followUpAt }) },
      issues: followUps.issues,
    };
  }
  const stored = {
    approvals: policy.approvals ?? 1,
    users: policy.users ?? [],
    groups: policy.groups ?? [],
  };
  const formRef = { accountId: actor.accountId, formId: form._id };
  const review = await reviewOf(reviewers, { ...formRef, policy: stored, creators });
  const issues = [
    ...followUps.issues,
    ...modeIssues(given, stored.approvals),
    // People and groups of the form's default may have left since; what remains of it counts.
    ...(input.policy ? await unknownIssues(reviewers, formRef, stored) : []),
  ];
  const { required, isBlocked } = review.count;
  if (isBlocked && issues.length === 0) {
    const people = review.reviewers.size === 1 ? '1 person' : `${review.reviewers.size} people`;
    const ofForm = input.policy ? '' : '. The form has this policy';
    issues.push({
      pointer: '/policy/approvals',
      message: `can't be met: it needs ${required}, and ${people} may vote; the creator never counts${ofForm}`,
    });
  }
  if (given.assignee !== undefined && issues.length === 0 && !review.reviewers.has(given.assignee))
    issues.push({ pointer: '/assignee', message: 'must be one of the people whom the policy lets vote' });
  const isNamed = stored.users.length + stored.groups.length > 0;
  const fields: PolicyFields = {
    ...followUps.fields,
    policy: stored,
    ...(input.policy ? {} : { hasDefaultPolicy: true }),
    creators,
    ...(isNamed && { firstReviewers: [...review.reviewers] }),
    votes: [],
  };
  const followUpAt = nextFollowUp(fields, createdAt);
  return { fields: { ...fields, ...(followUpAt !== undefined && { followUpAt }) }, issues };
}

/** Contradictions with the default of the form, which the schema of the request can't see. */
function modeIssues({ input }: Given, approvals: number | 'all'): Issue[] {
  if (input.policy) return [];
  return [
    ...(input.decisionMode === 'form' && approvals !== 1
      ? [
          {
            pointer: '/decisionMode',
            message: 'must be approval: the policy of the form needs several approvals',
          },
        ]
      : []),
    ...(input.onExpiry === 'approve'
      ? [
          {
            pointer: '/onExpiry',
            message: 'must be expire or reject: the form has a policy, and only its reviewers approve',
          },
        ]
      : []),
  ];
}

async function unknownIssues(
  reviewers: Pick<Reviewers, 'findGroup' | 'findPerson'>,
  form: FormRef,
  { users, groups }: { users: readonly string[]; groups: readonly string[] },
): Promise<Issue[]> {
  const issueOf = async (list: 'users' | 'groups', id: string, index: number): Promise<Issue[]> => {
    const found =
      list === 'users'
        ? (await reviewers.findPerson(form, id))?._id === id
        : (await reviewers.findGroup(form.accountId, id)) !== null;
    const what =
      list === 'users' ? 'a user of the account who may decide tasks of the form' : 'a group of the account';
    return found ? [] : [{ pointer: `/policy/${list}/${index}`, message: `must be the id of ${what}` }];
  };
  const issues = await Promise.all([
    ...users.map((id, index) => issueOf('users', id, index)),
    ...groups.map((id, index) => issueOf('groups', id, index)),
  ]);
  return issues.flat();
}

/**
 * The times of the reminder and the escalation. Defaults of the form that the task doesn't live to
 * see don't apply, and neither does an escalation to a group that was deleted since. If nobody in
 * its group may decide the task, the owners learn that when it is due: people may join until then.
 * `creators`: with a policy, those who never vote.
 */
async function followUpsOf(
  reviewers: Pick<Reviewers, 'of' | 'findGroup'>,
  { actor, input, form, createdAt, expiresAt }: Given,
  creators: readonly string[],
): Promise<{ fields: Pick<TaskRecord, 'remindAt' | 'escalateAt' | 'escalateTo'>; issues: Issue[] }> {
  const defaults = form.settings.tasks ?? {};
  const issues: Issue[] = [];
  const timeOf = (name: 'remindAfterSeconds' | 'escalateAfterSeconds', fallback: number | undefined) => {
    const seconds = input[name] ?? fallback;
    if (seconds === undefined) return undefined;
    const time = createdAt + seconds * 1000;
    if (time < expiresAt) return isoTime(time);
    if (input[name] !== undefined)
      issues.push({
        pointer: `/${name}`,
        message: 'must be less than the time until the task expires',
      });
    return undefined;
  };
  const remindAt = timeOf('remindAfterSeconds', defaults.remindAfterSeconds);
  const isOwn = input.escalateAfterSeconds !== undefined;
  const escalateTo = isOwn ? input.escalateTo : defaults.escalateTo;
  const escalateAt = timeOf('escalateAfterSeconds', defaults.escalateAfterSeconds);
  const isKnown =
    escalateTo !== undefined && (await reviewers.findGroup(actor.accountId, escalateTo)) !== null;
  if (isOwn && escalateTo !== undefined && !isKnown)
    issues.push({ pointer: '/escalateTo', message: 'must be the id of a group of the account' });
  if (isOwn && isKnown) {
    const formRef = { accountId: actor.accountId, formId: form._id };
    if ((await decidersIn(reviewers, formRef, escalateTo, creators)).length === 0)
      issues.push({
        pointer: '/escalateTo',
        message:
          creators.length > 0
            ? 'must be a group with a member who may decide tasks of the form and did not create this one'
            : 'must be a group with a member who may decide tasks of the form',
      });
  }
  return {
    fields: {
      ...(remindAt !== undefined && { remindAt }),
      ...(escalateAt !== undefined && isKnown && { escalateAt, escalateTo }),
    },
    issues,
  };
}
