import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Intent = Extract<Condition, { trigger: 'intent' }>;

/**
 * Engagement: the analytics product reports the intent level. `warm` accepts warm and hot, `hot`
 * only hot, and no level accepts any.
 */
export const intent: Trigger<Intent> = ({ intentLevel }, { scope, prefixes, whenLifted, warm, fire }) => {
  whenLifted(() => {
    warm();
    prefixes.forEach((prefix) =>
      // Listens in the capture phase so that the event is handled once, wherever it is dispatched.
      scope.on(window, `${prefix}:intent`, (event) => {
        const level: unknown = (event as CustomEvent<{ level?: unknown } | null>).detail?.level;
        if (!intentLevel || level === 'hot' || level === intentLevel) void fire(true);
      }),
    );
  });
};
