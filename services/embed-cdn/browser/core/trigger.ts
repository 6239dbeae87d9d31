import type { Condition, PublicForm } from '@svcforms/contracts';
import type { IsLate } from './click-target.ts';
import type { Scope } from './scope.ts';

/** How long before a timer fires the UI chunk is loaded, in milliseconds. */
export const WARM_MS = 2000;

export type Popup = NonNullable<PublicForm['popup']>;

/** What a trigger uses to observe the page. */
export interface Arming {
  scope: Scope;
  popup: Popup;
  /** Prefixes of the analytics products whose intent events count. */
  prefixes: readonly string[];
  /** Milliseconds since the script started, or since the visitor first saw the page. */
  elapsed: () => number;
  /** Whether the arming guard has ended. */
  isLifted: () => boolean;
  /**
   * Runs the callback shortly before the guard ends, or now if that time has passed. Triggers that
   * start observing then cost nothing while the page loads.
   */
  whenNear: (run: () => void) => void;
  /** Runs the callback when the guard ends, or now if it has ended. */
  whenLifted: (run: () => void) => void;
  /** Loads what opening a form needs, because a trigger is about to fire. */
  warm: () => void;
  /**
   * Reports that the condition is met. If the form can't open now, a gesture is ignored and can be
   * repeated, but a state or a timer is spent. Returns false if nothing opens; otherwise resolves
   * with whether the form opened.
   */
  fire: (isGesture: boolean, isLate?: IsLate) => Promise<boolean> | false;
}

/**
 * Arms one condition. Throws if it can't be observed, for example because of an invalid selector.
 */
export type Trigger<C extends Condition = Condition> = (condition: C, arming: Arming) => void;

/** The implementation of each trigger. */
export type TriggerTable = {
  readonly [K in Condition['trigger']]: Trigger<Extract<Condition, { trigger: K }>>;
};
