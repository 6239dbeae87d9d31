import type { Arming } from '../../core/trigger.ts';

/** Watches for one sign that the visitor is about to leave, and calls `leave` at it. */
export type WatchDeparture = (arming: Arming, leave: () => void) => void;
