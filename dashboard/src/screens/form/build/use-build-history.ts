import type { FormDefinition } from '@svcforms/contracts';
import { useRef, useState } from 'react';

/** What a step back restores. */
export interface BuildState {
  form: FormDefinition;
  /** Identify the fields, in their order. */
  keys: readonly number[];
  selected: number | null;
}

/** Changes within this time of each other are undone together, as one piece of typing. */
const TYPING_MS = 1_000;
const MAX_STEPS = 100;

/**
 * Undo and redo for the builder. Call `record` before each change. A form that another source has
 * replaced (a version that was saved elsewhere) has no steps back.
 */
export function useBuildHistory(current: BuildState, restore: (state: BuildState) => void) {
  const past = useRef<BuildState[]>([]);
  const future = useRef<BuildState[]>([]);
  const typedAt = useRef(0);
  const [counts, setCounts] = useState({ past: 0, future: 0 });
  const update = () => setCounts({ past: past.current.length, future: future.current.length });

  const step = (from: typeof past, to: typeof past) => {
    const state = from.current.pop();
    if (!state) return;
    to.current.push(current);
    typedAt.current = 0;
    restore(state);
    update();
  };

  return {
    /** `edit` for a change of texts and values, which continues the one before. */
    record(kind: 'edit' | 'arrangement') {
      const now = Date.now();
      const continues = kind === 'edit' && now - typedAt.current < TYPING_MS;
      typedAt.current = kind === 'edit' ? now : 0;
      future.current = [];
      if (!continues) past.current = [...past.current, current].slice(-MAX_STEPS);
      update();
    },
    undo: () => step(past, future),
    redo: () => step(future, past),
    forget: () => {
      past.current = [];
      future.current = [];
      typedAt.current = 0;
      update();
    },
    canUndo: counts.past > 0,
    canRedo: counts.future > 0,
  };
}
