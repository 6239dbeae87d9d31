import type { DecisionIn, TaskOut } from '@svcforms/contracts';
import { createSubscribers } from '../../api/subscribers.ts';

/** How long a reviewer can undo a decision before it is sent. */
export const UNDO_MS = 5_000;
/**
 * Browsers refuse larger requests that outlive their page. The limit counts all of them together.
 */
const MAX_KEEPALIVE_BYTES = 60_000;

/** What the reviewer entered. An undo or a refusal by the server restores it. */
export interface DecisionDraft {
  changes: Readonly<Record<string, unknown>>;
  comment: string;
  rejectOption: string;
  /** The task with the values that the reviewer saw. Absent for a decision in the list. */
  seen?: TaskOut;
  /** Why the server refused the decision. */
  error?: Error;
}

export interface UndoableDecision {
  task: TaskOut;
  decision: DecisionIn;
  draft: DecisionDraft;
}

interface Deps {
  /**
   * Sends a decision with a request that outlives the page. Resolves with whether it has resolved
   * the task.
   */
  send: (decided: UndoableDecision) => Promise<boolean>;
  /** Called when the undo is over: the decision is being sent, or the user undid it. */
  onEnd: (decided: UndoableDecision) => void;
  /** The task counts as decided until it returns. */
  onSent: (decided: UndoableDecision) => Promise<void>;
  onFailed: (decided: UndoableDecision, error: Error) => void;
}

/**
 * Decisions that wait for five seconds before they are sent, so that the reviewer can undo them.
 * `sendAll` must be called when the page is left.
 */
export function createUndoableDecisions({ send, onEnd, onSent, onFailed }: Deps) {
  const waiting = new Map<
    string,
    UndoableDecision & { bytes: number; timer: ReturnType<typeof setTimeout> }
  >();
  const sending = new Map<string, Promise<boolean>>();
  const drafts = new Map<string, DecisionDraft>();
  const decidedHere = new Set<string>();
  const { subscribe, notify } = createSubscribers();
  let snapshot: ReadonlySet<string> = new Set();

  function changed(): void {
    snapshot = new Set([...waiting.keys(), ...sending.keys()]);
    notify();
  }

  /** Takes a decision out of the queue. */
  function take(taskId: string): UndoableDecision | undefined {
    const found = waiting.get(taskId);
    if (!found) return undefined;
    clearTimeout(found.timer);
    waiting.delete(taskId);
    const { task, decision, draft } = found;
    onEnd({ task, decision, draft });
    return { task, decision, draft };
  }

  function deliver(decided: UndoableDecision): void {
    sending.set(decided.task.id, sendNow(decided));
    changed();
  }

  /** Returns whether the server accepted the decision. */
  async function sendNow(decided: UndoableDecision): Promise<boolean> {
    const { task, draft } = decided;
    let isSent = false;
    try {
      const isOver = await send(decided);
      isSent = true;
      // If a vote leaves the task pending, its end is still news.
      if (!isOver) decidedHere.delete(task.id);
      await onSent(decided);
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      decidedHere.delete(task.id);
      drafts.set(task.id, { ...draft, error: failure });
      onFailed(decided, failure);
    }
    sending.delete(task.id);
    changed();
    return isSent;
  }

  function endUndo(taskId: string): void {
    const decided = take(taskId);
    if (decided) deliver(decided);
  }

  return {
    /**
     * Sends the decision after five seconds. Returns false if it is too large for a request that
     * outlives the page; it is then sent immediately, without undo.
     */
    decide(chosen: UndoableDecision): boolean {
      const decided = aboutShownValues(chosen);
      const { id } = decided.task;
      const bytes = new TextEncoder().encode(JSON.stringify(decided.decision)).length;
      const others = [...waiting.values()].reduce((sum, other) => sum + other.bytes, 0);
      decidedHere.add(id);
      if (bytes + others > MAX_KEEPALIVE_BYTES) {
        deliver(decided);
        return false;
      }
      waiting.set(id, { ...decided, bytes, timer: setTimeout(() => endUndo(id), UNDO_MS) });
      changed();
      return true;
    },

    /** Keeps the decision from being sent, and restores the input. Returns false if it was sent. */
    undo(taskId: string): boolean {
      const decided = take(taskId);
      if (!decided) return false;
      decidedHere.delete(taskId);
      drafts.set(taskId, decided.draft);
      changed();
      return true;
    },

    /** Returns whether the server accepted all of them, and those that were being sent already. */
    async sendAll(): Promise<boolean> {
      for (const taskId of waiting.keys()) endUndo(taskId);
      const accepted = await Promise.all(sending.values());
      return accepted.every(Boolean);
    },

    /** The input to restore for a task, once. */
    takeDraft(taskId: string): DecisionDraft | undefined {
      const draft = drafts.get(taskId);
      drafts.delete(taskId);
      return draft;
    },

    /** The ids of the tasks with input that the reviewer hasn't sent. */
    unsent: new Set<string>(),

    /** Whether the decision on a task isn't being sent yet. */
    canUndo: (taskId: string) => waiting.has(taskId),
    isDecidedHere: (taskId: string) => decidedHere.has(taskId),
    /** Marks a task whose end isn't news to this user. */
    markDecidedHere: (taskId: string) => void decidedHere.add(taskId),
    /** Forgets the tasks whose decisions were sent: what happens to them later is news again. */
    forgetSent(): void {
      for (const taskId of decidedHere) if (!snapshot.has(taskId)) decidedHere.delete(taskId);
    },

    /** The ids of the tasks whose decisions wait or are being sent, for `useSyncExternalStore`. */
    decidedIds: () => snapshot,
    subscribe,
  };
}

/**
 * A vote of somebody else may change the values before the decision is sent, which then must not
 * count for them.
 */
function aboutShownValues(chosen: UndoableDecision): UndoableDecision {
  const { valuesDigest } = chosen.task;
  return valuesDigest === undefined ? chosen : { ...chosen, decision: { ...chosen.decision, valuesDigest } };
}

export type UndoableDecisions = ReturnType<typeof createUndoableDecisions>;
