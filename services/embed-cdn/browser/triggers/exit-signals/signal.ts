import type { Arming } from '../../core/trigger.ts';

/** Observes one exit signal and calls `leave` when it occurs. */
export type ExitSignal = (arming: Arming, leave: () => void) => void;

// Thresholds of two exit signals. They are in a file of their own because esbuild inlines imported
// numbers, which saves 32 bytes.

/** A fast scroll has at least this many events … */
export const MIN_EVENTS = 3;
/** … within this many milliseconds … */
export const WITHIN_MS = 600;
/** … over this distance, or over this share of a shorter one … */
export const FAR_PX = 400;
export const SHARE = 0.6;
export const MIN_PX = 200;
/** … and ends this close to the top. docs/reference/triggers.md#exit-intent */
export const TOP_PX = 100;
/**
 * Home, Cmd+Up, and clicks cause fast scrolling that isn't an exit signal for this long.
 */
export const JUMP_MS = 1000;
/** Leaving the page this long after a click belongs to what the click opened. */
export const REQUEST_MS = 500;
