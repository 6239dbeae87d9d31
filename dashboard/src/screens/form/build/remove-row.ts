import { flushSync } from 'react-dom';

/**
 * Removes a row of a list, and gives the focus, which was in it, to the next row, else to the one
 * before, else to the button that adds one. The list has `data-rows`, the button `data-add-row`,
 * and `data-row` is what gets the focus in each row.
 */
export function removeRow(within: Element, index: number, remove: () => void): void {
  const list = within.closest('[data-rows]');
  flushSync(remove);
  const own = (selector: string) =>
    [...(list?.querySelectorAll<HTMLElement>(selector) ?? [])].filter(
      (one) => one.closest('[data-rows]') === list,
    );
  const rows = own('[data-row]');
  const target = rows[index] ?? rows[index - 1] ?? own('[data-add-row]')[0];
  target?.focus();
}
