import type { DecisionIn, TaskOut } from '@svcforms/contracts';
import { createUndoableDecisions, UNDO_MS } from './undoable-decisions.ts';

const taskOf = (id: string) => ({ id }) as TaskOut;
const approval: DecisionIn = { outcome: 'approved', fields: {} };
const draft = { changes: { amount: 7 }, comment: 'Fine', rejectOption: '' };

type Send = Parameters<typeof createUndoableDecisions>[0]['send'];

function setUp(send: Send = async () => true) {
  const sent: string[] = [];
  const events: string[] = [];
  const decisions = createUndoableDecisions({
    send: (decided) => {
      sent.push(decided.task.id);
      return send(decided);
    },
    onEnd: ({ task }) => void events.push(`end ${task.id}`),
    onSent: async ({ task }) => void events.push(`sent ${task.id}`),
    onFailed: ({ task }, error) => void events.push(`failed ${task.id}: ${error.message}`),
  });
  const decide = (id: string, decision = approval) => decisions.decide({ task: taskOf(id), decision, draft });
  return { decisions, decide, sent, events };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('undoable decisions', () => {
  it('are sent after five seconds', async () => {
    const { decisions, decide, sent, events } = setUp();
    expect(decide('a')).toBe(true);
    expect([...decisions.decidedIds()]).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(UNDO_MS - 1);
    expect(sent).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toEqual(['a']);
    expect(events).toEqual(['end a', 'sent a']);
    expect(decisions.decidedIds().size).toBe(0);
    expect(decisions.isDecidedHere('a')).toBe(true);
  });

  it('are never sent after an undo, which restores the input once', async () => {
    const { decisions, decide, sent } = setUp();
    decide('a');
    decide('b');
    expect(decisions.undo('b')).toBe(true);
    expect(decisions.isDecidedHere('b')).toBe(false);
    expect(decisions.takeDraft('b')).toEqual(draft);
    expect(decisions.takeDraft('b')).toBeUndefined();
    await jest.advanceTimersByTimeAsync(UNDO_MS);
    expect(sent).toEqual(['a']);
    expect(decisions.undo('a')).toBe(false);
  });

  it('are news again after they were sent and forgotten', async () => {
    const { decisions, decide } = setUp();
    decide('a');
    await decisions.sendAll();
    decide('b');
    decisions.forgetSent();
    expect(decisions.isDecidedHere('a')).toBe(false);
    expect(decisions.isDecidedHere('b')).toBe(true);
  });

  it('are news again after a vote that leaves the task pending', async () => {
    const { decisions, decide } = setUp(async () => false);
    decide('a');
    expect(decisions.isDecidedHere('a')).toBe(true);
    await decisions.sendAll();
    expect(decisions.isDecidedHere('a')).toBe(false);
  });

  it('are all sent once when the page is left', async () => {
    const { decisions, decide, sent } = setUp();
    decide('a');
    decide('b');
    void decisions.sendAll();
    expect(sent).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(UNDO_MS);
    expect(sent).toEqual(['a', 'b']);
  });

  it('keep the input and the reason if the server refuses them', async () => {
    const { decisions, decide, events } = setUp(async () => {
      throw new Error('no');
    });
    decide('a');
    await jest.advanceTimersByTimeAsync(UNDO_MS);
    expect(events).toEqual(['end a', 'failed a: no']);
    expect(decisions.takeDraft('a')).toMatchObject({ ...draft, error: { message: 'no' } });
    expect(decisions.isDecidedHere('a')).toBe(false);
  });

  it('are about the values that the reviewer saw', async () => {
    const sent: DecisionIn[] = [];
    const decisions = createUndoableDecisions({
      send: async ({ decision }) => {
        sent.push(decision);
        return true;
      },
      onEnd: () => {},
      onSent: async () => {},
      onFailed: () => {},
    });
    decisions.decide({ task: { id: 'a', valuesDigest: 'of-120' } as TaskOut, decision: approval, draft });
    void decisions.sendAll();
    expect(sent).toEqual([{ ...approval, valuesDigest: 'of-120' }]);
  });

  it('are waited for when all are sent, including those that are being sent', async () => {
    let refuse: (error: Error) => void = () => {};
    const decisions = createUndoableDecisions({
      send: () => new Promise((_, reject) => (refuse = reject)),
      onEnd: () => {},
      onSent: async () => {},
      onFailed: () => {},
    });
    decisions.decide({ task: { id: 'a' } as TaskOut, decision: approval, draft });
    await jest.advanceTimersByTimeAsync(UNDO_MS);
    const areAccepted = decisions.sendAll();
    refuse(new Error('refused'));
    expect(await areAccepted).toBe(false);
  });

  it('are sent immediately if they are too large to outlive the page', () => {
    const { decide, sent } = setUp();
    decide('small', { ...approval, comment: 'x'.repeat(40_000) });
    expect(decide('large', { ...approval, comment: 'x'.repeat(30_000) })).toBe(false);
    expect(sent).toEqual(['large']);
  });
});
