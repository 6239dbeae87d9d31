import type { TriggerPlan } from '@svcforms/contracts';
import type { IsLate } from './click-target.ts';
import { createGuard } from './guard.ts';
import { createScope } from './scope.ts';
import type { Arming, Popup, Trigger, TriggerTable } from './trigger.ts';

interface ArmOptions {
  triggers: TriggerTable;
  plan: TriggerPlan;
  popup: Popup;
  prefixes: readonly string[];
  /** When the script started, as `performance.now()`. */
  t0: number;
  warm: () => void;
  /** Whether no popup may open now, because a modal is open or the page is excluded. */
  isBlocked: () => boolean;
  open: (isLate?: IsLate) => Promise<boolean> | false;
}

export interface Armed {
  /** Whether a trigger can still fire. */
  isLive: () => boolean;
  end: () => void;
}

/**
 * Opens the form when all conditions of one alternative of the plan are met. Conditions may be met
 * in any order; each stops listening once it is met or spent.
 */
export function arm({ triggers, plan, t0, isBlocked, open, ...given }: ArmOptions): Armed {
  const whole = createScope();
  let live = plan.length;

  const end = () => {
    live = 0;
    whole.end();
  };

  for (const conditions of plan) {
    // A condition that is already met has opened the form, so nothing else is armed.
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
      // An alternative with an invalid condition can never be met.
      alternative.end();
      live--;
      console.warn('SvcForms:', error);
    }
  }
  return { isLive: () => live > 0, end };
}
