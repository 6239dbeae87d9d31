import type { TriggerPlan } from '@svcforms/contracts';
import type { IsLate } from './click-target.ts';
import { createGuard } from './guard.ts';
import { createScope } from './scope.ts';
import type { Arming, Popup, Trigger, TriggerTable } from './trigger.ts';

export interface ArmOptions {
  triggers: TriggerTable;
  plan: TriggerPlan;
  popup: Popup;
  prefixes: readonly string[];
  /** Start of the script, by `performance.now()`. */
  t0: number;
  warm: () => void;
  /** Whether nothing may open at this moment: a modal is open, or the page is an excluded one. */
  isBlocked: () => boolean;
  open: (isLate?: IsLate) => Promise<boolean> | false;
}

export interface Armed {
  /** Whether something may still fire. */
  isLive: () => boolean;
  end: () => void;
}

/**
 * Watches for the first alternative of the plan to come true. Its conditions latch one by one, in any order; what has
 * latched or is spent listens to nothing any more.
 */
export function arm({ triggers, plan, t0, isBlocked, open, ...given }: ArmOptions): Armed {
  const whole = createScope();
  let live = plan.length;

  const end = () => {
    live = 0;
    whole.end();
  };

  for (const conditions of plan) {
    // What is true at once has opened it, and nothing else is armed.
    if (!live) break;
    const alternative = createScope();
    whole.add(alternative.end);
    let missing = conditions.length;
    try {
      for (const condition of conditions) {
        const scope = createScope();
        alternative.add(scope.end);
        let isSpent = false;
        const arming: Arming = {
          ...createGuard(t0, scope),
          ...given,
          scope,
          fire(isGesture, isLate) {
            if (isSpent || (isGesture && isBlocked())) return false;
            isSpent = true;
            scope.end();
            if (--missing) return false;
            live--;
            if (isBlocked()) return false;
            end();
            return open(isLate);
          },
        };
        (triggers[condition.trigger] as Trigger)(condition, arming);
      }
    } catch (error) {
      // Without one of its conditions it can't come true.
      alternative.end();
      live--;
      console.warn('SvcForms:', error);
    }
  }
  return { isLive: () => live > 0, end };
}
