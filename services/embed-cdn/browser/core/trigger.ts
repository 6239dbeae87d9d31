import type { Condition, PublicForm } from '@svcforms/contracts';
import type { IsLate } from './click-target.ts';
import type { Scope } from './scope.ts';

export type Popup = NonNullable<PublicForm['popup']>;

/** What a trigger is given to watch with. */
export interface Arming {
  scope: Scope;
  popup: Popup;
  /** Prefixes of the analytics products whose intent events count. */
  prefixes: readonly string[];
  /** Milliseconds since the start of the script (prerendered pages: since they were shown). */
  elapsed: () => number;
  /** Whether the arming guard is over. */
  isLifted: () => boolean;
  /**
   * Runs shortly before the guard is over, or now where that is past. Before, nothing that it holds can count: what watches
   * from then on costs the page nothing while it loads.
   */
  whenNear: (run: () => void) => void;
  /** Runs now or, where the guard still holds, when it is over. */
  whenLifted: (run: () => void) => void;
  /** Loads what an opening needs: it is near. */
  warm: () => void;
  /**
   * Says that the condition came true. A gesture that can't open anything now is forgotten, and may be made again; a state
   * or a timer is spent. Gives false where nothing is opened, else whether that could be.
   */
  fire: (isGesture: boolean, isLate?: IsLate) => Promise<boolean> | false;
}

/** Arms one condition; throws where it can't be watched (an invalid selector). */
export type Trigger<C extends Condition = Condition> = (condition: C, arming: Arming) => void;

/** How each trigger is armed. */
export type TriggerTable = {
  readonly [K in Condition['trigger']]: Trigger<Extract<Condition, { trigger: K }>>;
};
