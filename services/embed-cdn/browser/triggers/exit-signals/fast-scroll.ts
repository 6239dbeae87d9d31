import { FAR_PX, JUMP_MS, MIN_EVENTS, MIN_PX, SHARE, TOP_PX, WITHIN_MS, type ExitSignal } from './signal.ts';

/**
 * A fast scroll back to the top. Slow scrolling and single jumps don't count; a jump is one event.
 */
export const fastScroll: ExitSignal = ({ scope, isLifted }, leave) => {
  let run: { at: number; from: number }[] = [];
  let last = scrollY;
  let jumpAt = -Infinity;

  scope.on(window, 'keydown click', (event) => {
    const { key, metaKey } = event as KeyboardEvent;
    // A click has no key. Links and buttons of the page may scroll smoothly.
    if (!key || key === 'Home' || (metaKey && key === 'ArrowUp')) jumpAt = performance.now();
  });
  scope.on(window, 'scroll', () => {
    const now = performance.now();
    const from = last;
    last = scrollY;
    // An inner panel scrolled, not the page.
    if (last === from) return;
    if (last > from || !isLifted()) run = [];
    else run.push({ at: now, from });
    run = run.filter(({ at }) => now - at <= WITHIN_MS);
    const [first] = run;
    if (!first || run.length < MIN_EVENTS || last > TOP_PX || now - jumpAt <= JUMP_MS) return;
    const way = first.from - last;
    const isFar = way >= FAR_PX || way >= Math.max(MIN_PX, first.from * SHARE);
    // The first event's time is taken during the run, so the distance before it has no duration and
    // is left out.
    const timed = way * (1 - 1 / run.length);
    // Average speed; fingers are slower than wheels.
    const pixelsPerMs = matchMedia('(pointer:coarse)').matches ? 1 : 1.5;
    if (isFar && timed >= pixelsPerMs * (now - first.at)) leave();
  });
};
