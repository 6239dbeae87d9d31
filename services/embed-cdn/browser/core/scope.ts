/** Holds every listener, timer and observer of something that ends as a whole. */
export interface Scope {
  /** Listens in the capture phase to one or more event types, separated by blanks. */
  on: (target: EventTarget, types: string, listener: (event: Event) => void) => void;
  /** Gives a function that takes the timer back. */
  later: (ms: number, run: () => void) => () => void;
  /** Has `undo` called at the end. */
  add: (undo: () => void) => void;
  end: () => void;
}

export function createScope(): Scope {
  const undos = new Set<() => void>();
  return {
    on(target, types, listener) {
      for (const type of types.split(' ')) {
        // Only a click is ever prevented.
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
