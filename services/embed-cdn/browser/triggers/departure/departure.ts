import type { Arming } from '../../core/trigger.ts';

/** Observes one exit signal and calls `leave` when it occurs. */
export type WatchDeparture = (arming: Arming, leave: () => void) => void;
