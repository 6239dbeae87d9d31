import { isoTime } from '@svcforms/primitives';
import { planFollowUp } from './plan-follow-up.ts';

const NOW = Date.parse('2027-03-04T12:00:00Z');
const AT = isoTime(NOW);
const EARLIER = isoTime(NOW - 60_000);
const LATER = isoTime(NOW + 60_000);
const NEXT_COUNT = isoTime(NOW + 5 * 60_000);
const GROUP = 'grp_1';
const REMINDER = { remindAt: AT };
const ESCALATION = { escalateAt: AT, escalateTo: GROUP };
const POLICY = { policy: { approvals: 1, users: [], groups: [] } };
const PENDING = { isBlocked: false, isMet: false };
const BLOCKED = { isBlocked: true, isMet: false };
const MET = { isBlocked: false, isMet: true };

type Task = Parameters<typeof planFollowUp>[0];
type Facts = Partial<Parameters<typeof planFollowUp>[1]>;
type Plan = Partial<ReturnType<typeof planFollowUp>>;

describe('the follow-up of a pending task', () => {
  it.each<[string, Task, Facts, { [K in keyof Plan]: Partial<Plan[K]> }]>([
    ['waits until something is due', { remindAt: LATER }, {}, { set: { followUpAt: LATER } }],
    [
      'waits for the earlier of two',
      { remindAt: LATER, escalateAt: NEXT_COUNT, escalateTo: GROUP },
      {},
      { set: { followUpAt: LATER } },
    ],
    [
      'reminds once',
      REMINDER,
      {},
      {
        notices: ['reminder'],
        events: [{ at: AT, event: 'reminded' }],
        unset: ['followUpAt', 'remindAt'],
      },
    ],
    [
      'reminds, and waits for the escalation',
      { ...REMINDER, escalateAt: LATER, escalateTo: GROUP },
      {},
      {
        notices: ['reminder'],
        events: [{ at: AT, event: 'reminded' }],
        set: { followUpAt: LATER },
        unset: ['remindAt'],
      },
    ],
    [
      'escalates once, and has the votes counted again',
      { ...ESCALATION, revision: 4 },
      { escalatedTo: ['usr_1'] },
      {
        notices: ['escalation'],
        events: [{ at: AT, event: 'escalated', to: GROUP }],
        set: { escalatedAt: AT, revision: 5 },
        unset: ['followUpAt'],
      },
    ],
    [
      'does not repeat an escalation, but still reminds',
      { ...ESCALATION, ...REMINDER, escalatedAt: EARLIER },
      {},
      {
        notices: ['reminder'],
        events: [{ at: AT, event: 'reminded' }],
        unset: ['followUpAt', 'remindAt'],
      },
    ],
    [
      'drops an escalation to a group in which nobody may decide, and says so',
      ESCALATION,
      { escalatedTo: [] },
      { notices: ['nobody_to_escalate'], unset: ['followUpAt', 'escalateAt', 'escalateTo'] },
    ],
    [
      'drops an escalation to a deleted group',
      ESCALATION,
      {},
      { unset: ['followUpAt', 'escalateAt', 'escalateTo'] },
    ],
    [
      'counts the votes of a policy again later',
      POLICY,
      { count: PENDING },
      { set: { followUpAt: NEXT_COUNT } },
    ],
    [
      'says that too few reviewers are left',
      POLICY,
      { count: BLOCKED },
      {
        notices: ['blocked'],
        events: [{ at: AT, event: 'blocked' }],
        set: { followUpAt: NEXT_COUNT, blockedAt: AT },
      },
    ],
    [
      'says it once',
      { ...POLICY, blockedAt: EARLIER },
      { count: BLOCKED },
      { set: { followUpAt: NEXT_COUNT } },
    ],
    [
      'notes without an email that enough reviewers are back',
      { ...POLICY, blockedAt: EARLIER },
      { count: PENDING },
      {
        events: [{ at: AT, event: 'unblocked' }],
        set: { followUpAt: NEXT_COUNT },
        unset: ['blockedAt'],
      },
    ],
    [
      'asks for an approval again if all who are left have approved',
      POLICY,
      { count: MET },
      { notices: ['approve_again'], set: { followUpAt: NEXT_COUNT, approveAgainAt: AT } },
    ],
    [
      'asks for it once',
      { ...POLICY, approveAgainAt: EARLIER },
      { count: MET },
      { set: { followUpAt: NEXT_COUNT } },
    ],
    [
      'no longer asks for it if somebody has yet to vote',
      { ...POLICY, approveAgainAt: EARLIER },
      { count: PENDING },
      { set: { followUpAt: NEXT_COUNT }, unset: ['approveAgainAt'] },
    ],
    [
      'does everything that is due at once',
      { ...POLICY, ...REMINDER, ...ESCALATION, blockedAt: EARLIER },
      { escalatedTo: ['usr_1'], count: PENDING },
      {
        notices: ['escalation', 'reminder'],
        events: [
          { at: AT, event: 'reminded' },
          { at: AT, event: 'escalated', to: GROUP },
          { at: AT, event: 'unblocked' },
        ],
        set: { followUpAt: NEXT_COUNT, escalatedAt: AT, revision: 1 },
        unset: ['remindAt', 'blockedAt'],
      },
    ],
  ])('%s', (_, task, facts, plan) => {
    expect(planFollowUp(task, { escalatedTo: null, now: NOW, ...facts })).toEqual({
      notices: [],
      events: [],
      set: {},
      unset: [],
      ...plan,
    });
  });
});
