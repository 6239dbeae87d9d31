/** Collects listeners, timers, and observers that end together. */
export interface Scope {
  /** Listens in the capture phase to one or more event types, separated by spaces. */
  on: (target: EventTarget, types: string, listener: (event: Event) => void) => void;
  /** Returns a function that cancels the timer. */
  later: (ms: number, run: () => void) => () => void;
  /** Calls `undo` when the scope ends. */
  add: (undo: () => void) => void;
  end: () => void;
}

export function createScope(): Scope {
  const undos = new Set<() => void>();
  return {
    on(target, types, listener) {
      for (const type of types.split(' ')) {
        // Only clicks are ever prevented.
        target.addEventListener(type, listener, { capture: true, passive: type !== 'click' });
        undos.add(() => target.removeEventListener(type, listener, true));
      }
    },
    later(ms, run) {
      const cancel = () => {
        clearTimeout(timer);
        undos.delete(cancel);
      };
      const timer = setTimeout(() => {
        undos.delete(cancel);
        run();
      }, ms);
      undos.add(cancel);
      return cancel;
    },
    add: (undo) => void undos.add(undo),
    end() {
      undos.forEach((undo) => undo());
      undos.clear();
    },
  };
}
