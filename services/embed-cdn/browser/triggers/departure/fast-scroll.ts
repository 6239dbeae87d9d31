import { closest } from '../../core/click-target.ts';
import type { WatchDeparture } from './departure.ts';

/** The run that counts: at least so many events … */
const MIN_EVENTS = 3;
/** … within so long … */
const WITHIN_MS = 600;
/** … over so far, or over the greater part of a short way … */
const FAR_PX = 400;
const SHARE = 0.6;
const MIN_PX = 200;
/** … ending so near to the top. The spec leaves these figures open (Arming guard 6). */
const TOP_PX = 100;
/** Home, Cmd+Up and links inside the page look fast, and aren't meant. */
const JUMP_MS = 1000;

/** A fast scroll back to the top. A slow one, and a single jump, are not: a jump is one event. */
export const fastScroll: WatchDeparture = ({ scope, isLifted }, leave) => {
  let run: { at: number; from: number }[] = [];
  // Known from the first event on: to ask now would make the browser lay out the page before it has to.
  let last = 0;
  let jumpAt = -Infinity;

  scope.on(window, 'keydown click', (event) => {
    const { key, metaKey } = event as KeyboardEvent;
    if (key ? key === 'Home' || (metaKey && key === 'ArrowUp') : closest(event, 'a[href*="#"]')) {
      jumpAt = performance.now();
    }
  });
  scope.on(window, 'scroll', () => {
    const now = performance.now();
    const from = last;
    last = scrollY;
    // An inner panel moved, not the page.
    if (last === from) return;
    if (last > from || !isLifted()) run = [];
    else run.push({ at: now, from });
    run = run.filter(({ at }) => now - at <= WITHIN_MS);
    const [first] = run;
    if (!first || run.length < MIN_EVENTS || last > TOP_PX || now - jumpAt <= JUMP_MS) return;
    const way = first.from - last;
    const isFar = way >= FAR_PX || way >= Math.max(MIN_PX, first.from * SHARE);
    // The first event tells when the run was under way, not when it began: its step has no time of its own.
    const timed = way * (1 - 1 / run.length);
    if (isFar && timed >= pixelsPerMs() * (now - first.at)) leave();
  });
};

/** How fast is fast, on average: fingers are slower than wheels. */
function pixelsPerMs(): number {
  return matchMedia('(pointer:coarse)').matches ? 1 : 1.5;
}
