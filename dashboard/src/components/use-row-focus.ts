import { useEffect, useRef, type FocusEvent, type RefObject } from 'react';

/** What can have the focus in a row. */
const CONTROLS = 'a[href], button:enabled, input:enabled';

/**
 * Keeps the focus in a table when the row that has it disappears, such as a deleted one: the next
 * row gets it, or the last one, or the heading of the screen if there is no control in that row or
 * the whole table disappears.
 * `keys` are those of the rows, in their order.
 */
export function useRowFocus(keys: readonly string[]): {
  ref: RefObject<HTMLTableSectionElement | null>;
  onFocus: (event: FocusEvent) => void;
} {
  const ref = useRef<HTMLTableSectionElement>(null);
  /** The row that had the focus last, its index, and the index of its control. */
  const last = useRef<{ key: string; row: number; control: number } | null>(null);
  useEffect(() => {
    if (!last.current) return;
    const { key, row, control } = last.current;
    if (keys.includes(key)) {
      last.current.row = keys.indexOf(key);
      return;
    }
    last.current = null;
    whenFocusIsLost(() => {
      const rows = [...(ref.current?.rows ?? [])];
      const controls = controlsOf(rows[row] ?? rows.at(-1));
      const next = controls[control] ?? controls.at(-1);
      if (next) next.focus({ preventScroll: true });
      else focusHeading();
    });
  });
  useEffect(
    () => () => {
      if (last.current) whenFocusIsLost(focusHeading);
    },
    [],
  );
  return {
    ref,
    onFocus({ target }) {
      const row = [...(ref.current?.rows ?? [])].findIndex((one) => one.contains(target));
      const key = keys[row];
      const controls = controlsOf(ref.current?.rows[row]);
      if (key !== undefined) last.current = { key, row, control: controls.indexOf(target as HTMLElement) };
    },
  };
}

function controlsOf(row: Element | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
}

function focusHeading(): void {
  const headings = document.querySelectorAll<HTMLElement>('main :is(h1, h2)[tabindex="-1"]');
  [...headings].at(-1)?.focus({ preventScroll: true });
}

/** Calls `move` if nothing has the focus, or once the dialog that still has it is closed. */
function whenFocusIsLost(move: () => void): void {
  const check = () => {
    const active = document.activeElement;
    if (active?.closest('[role="dialog"]')) return;
    observer.disconnect();
    if (active === null || active === document.body) move();
  };
  const observer = new MutationObserver(check);
  observer.observe(document.body, { childList: true, subtree: true });
  check();
}
