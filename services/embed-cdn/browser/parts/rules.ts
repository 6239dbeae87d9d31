import type { Control, Field } from '../ui/control.ts';
import { element } from '../ui/dom.ts';
import type { Tell } from '../ui/spoken.ts';

export { say } from '@svcforms/contracts';

/** Prepares the browser's validation of a number, a date or a time. */
export function setLimits(input: HTMLInputElement, { type, min, max }: Field): void {
  if (!/^(number|date|time)$/.test(type)) return;
  // Times may then have seconds, and browsers ask for them only if a value or a limit has them.
  input.step = 'any';
  if (min !== undefined) input.min = String(min);
  if (max !== undefined) input.max = String(max);
}

/** Says which limit a value exceeds, or that it can't be read. Empty if it does neither. */
export function limitProblem(
  { type, min, max, minLength = 0, maxLength = Infinity }: Field,
  { badInput, rangeUnderflow, rangeOverflow }: Partial<ValidityState>,
  value: unknown,
  tell: Tell,
): string {
  const isNumber = type === 'number';
  // A number that can't be read counts as missing too.
  if (badInput) return tell(type as 'number' | 'date' | 'time');
  if (rangeUnderflow) return tell(isNumber ? 'min' : 'earliest', { n: min as string });
  if (rangeOverflow) return tell(isNumber ? 'max' : 'latest', { n: max as string });
  // Counts characters as readers do. Browsers count UTF-16 code units.
  // oxlint-disable-next-line typescript/no-misused-spread -- Prototype.js replaces `Array.from`
  const length = typeof value === 'string' ? [...value].length : 0;
  if (length && length < minLength) return tell('minLength', { n: minLength });
  return length > maxLength ? tell('maxLength', { n: maxLength }) : '';
}

/** The numbers of the steps that these controls are on. */
export function stepsOf(controls: readonly Control[]): number[] {
  return [...new Set(controls.map(({ field }) => field.step ?? 1))].sort((one, other) => one - other);
}

/** Shows which step of how many the visitor is on. */
export function createProgress(tell: Tell): { node: HTMLElement; show: (n: number, total: number) => void } {
  const bar = element('progress', { max: 1, aria: { hidden: 'true' } });
  const text = element('span');
  const node = element('p', { className: 'steps', ariaLive: 'polite' }, text, bar);
  return {
    node,
    show(n, total) {
      node.hidden = total < 2;
      bar.value = n / (total || 1);
      const words = tell('step', { n, total });
      // Announced once, not at every keystroke.
      if (text.textContent !== words) text.textContent = words;
    },
  };
}

export const styles = `
.steps{margin-bottom:calc(var(---s)*1.4);font-size:.875em;color:var(---m)}
progress{display:block;width:100%;height:6px;margin-top:.5em;appearance:none;border:0;border-radius:9px;overflow:hidden;background:var(---hair)}
::-webkit-progress-bar{background:var(---hair)}
::-webkit-progress-value{background:var(---mark);border-radius:9px}
::-moz-progress-bar{background:var(---mark)}
.text::-webkit-calendar-picker-indicator{opacity:.65;cursor:pointer}
@media(prefers-reduced-motion:no-preference){::-webkit-progress-value{transition:width .25s}}
@media(forced-colors:active){progress{forced-color-adjust:none;---hair:Canvas;---mark:Highlight;border:1px solid CanvasText}}
`.replace(/\n/g, '');
