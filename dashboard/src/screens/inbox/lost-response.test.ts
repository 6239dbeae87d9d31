import type { DecisionIn, TaskOut } from '@svcforms/contracts';
import { decidedTask, isCounted, UnconfirmedError } from './lost-response.ts';

const ME = 'usr_me';
const voteAt = (at: string, by = ME) => ({ by, outcome: 'approved' as const, at });
const taskOf = (task: Partial<TaskOut>) => ({ status: 'awaiting', ...task }) as TaskOut;
const isApprovalIn = (
  task: Partial<TaskOut>,
  seen: Partial<TaskOut> = {},
  decision: Partial<DecisionIn> = {},
) =>
  isCounted(taskOf(task), {
    task: taskOf(seen),
    decision: { outcome: 'approved', fields: {}, ...decision },
    userId: ME,
  });

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('a decision whose response was lost', () => {
  it('counts if it resolved the task', () => {
    expect(isApprovalIn({ status: 'approved', decidedBy: ME })).toBe(true);
    expect(isApprovalIn({ status: 'approved', decidedBy: 'usr_other' })).toBe(false);
    expect(isApprovalIn({ status: 'rejected', decidedBy: ME })).toBe(false);
  });

  it('counts if it is among the votes, even after somebody else resolved the task', () => {
    expect(isApprovalIn({ votes: [voteAt('1')] })).toBe(true);
    expect(isApprovalIn({ status: 'rejected', decidedBy: 'usr_other', votes: [voteAt('1')] })).toBe(true);
    expect(isApprovalIn({ votes: [voteAt('1', 'usr_other')] })).toBe(false);
    expect(isApprovalIn({})).toBe(false);
  });

  it('doesn’t count for a vote that the user saw before', () => {
    expect(isApprovalIn({ votes: [voteAt('1')] }, { votes: [voteAt('1')] })).toBe(false);
    expect(isApprovalIn({ votes: [voteAt('2')] }, { votes: [voteAt('1')] })).toBe(true);
  });

  it('doesn’t count if the user decided the same elsewhere without what it says', () => {
    const approved = { status: 'approved' as const, decidedBy: ME };
    expect(isApprovalIn(approved, {}, { comment: 'Fine' })).toBe(false);
    expect(isApprovalIn({ ...approved, comment: 'Fine' }, {}, { comment: 'Fine' })).toBe(true);
    expect(isApprovalIn({ votes: [voteAt('1')] }, {}, { comment: 'Fine' })).toBe(false);
    const seen = { prefill: { amount: 7, day: '2026-1-1' } };
    const changed = { fields: { amount: 8 } };
    expect(isApprovalIn({ ...approved, formData: seen.prefill }, seen, changed)).toBe(false);
    expect(isApprovalIn({ ...approved, formData: { amount: 8 } }, seen, changed)).toBe(true);
    const normalized = { ...approved, formData: { day: '2026-02-02' } };
    expect(isApprovalIn(normalized, seen, { fields: { day: '2026-2-2' } })).toBe(true);
  });

  it('is unconfirmed within 20 seconds on a server that accepts requests and never responds', async () => {
    jest.useFakeTimers();
    jest
      .spyOn(globalThis, 'fetch')
      .mockImplementation(
        (_url, init) =>
          new Promise((_resolve, reject) =>
            init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
          ),
      );
    const sent = { task: taskOf({ id: 'tsk_1' }), decision: { outcome: 'approved', fields: {} }, userId: ME };
    const result = jest.fn();
    decidedTask(sent as Parameters<typeof decidedTask>[0], new TypeError('lost')).catch(result);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(result).toHaveBeenCalledWith(expect.any(UnconfirmedError));
  });
});
