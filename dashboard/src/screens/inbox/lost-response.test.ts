import type { TaskOut } from '@svcforms/contracts';
import { isCounted } from './lost-response.ts';

const ME = 'usr_me';
const voteAt = (at: string, by = ME) => ({ by, outcome: 'approved' as const, at });
const taskOf = (task: Partial<TaskOut>) => ({ status: 'awaiting', ...task }) as TaskOut;
const isApprovalIn = (task: Partial<TaskOut>, seen: Partial<TaskOut> = {}) =>
  isCounted(taskOf(task), { task: taskOf(seen), decision: { outcome: 'approved' }, userId: ME });

describe('a decision whose response was lost', () => {
  it('counts if it resolved the task', () => {
    expect(isApprovalIn({ status: 'approved', decidedBy: ME })).toBe(true);
    expect(isApprovalIn({ status: 'approved', decidedBy: 'usr_other' })).toBe(false);
    expect(isApprovalIn({ status: 'rejected', decidedBy: ME })).toBe(false);
  });

  it('counts if it is among the votes, also after somebody else resolved the task', () => {
    expect(isApprovalIn({ votes: [voteAt('1')] })).toBe(true);
    expect(isApprovalIn({ status: 'rejected', decidedBy: 'usr_other', votes: [voteAt('1')] })).toBe(true);
    expect(isApprovalIn({ votes: [voteAt('1', 'usr_other')] })).toBe(false);
    expect(isApprovalIn({})).toBe(false);
  });

  it('doesn’t count for a vote that the user saw before', () => {
    expect(isApprovalIn({ votes: [voteAt('1')] }, { votes: [voteAt('1')] })).toBe(false);
    expect(isApprovalIn({ votes: [voteAt('2')] }, { votes: [voteAt('1')] })).toBe(true);
  });
});
