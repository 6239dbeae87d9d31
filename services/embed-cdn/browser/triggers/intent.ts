import type { Condition } from '@svcforms/contracts';
import type { Trigger } from '../core/trigger.ts';

type Intent = Extract<Condition, { trigger: 'intent' }>;

/** The analytics product reads the session as engaged enough: warm takes warm and hot, hot only hot, bare any. */
export const intent: Trigger<Intent> = ({ intentLevel }, { scope, prefixes, whenLifted, warm, fire }) => {
  whenLifted(() => {
    warm();
    prefixes.forEach((prefix) =>
      // In capture, so that it is heard once wherever it is dispatched: on the window, the document or an element.
      scope.on(window, `${prefix}:intent`, (event) => {
        const level: unknown = (event as CustomEvent<{ level?: unknown } | null>).detail?.level;
        if (!intentLevel || level === 'hot' || level === intentLevel) void fire(true);
      }),
    );
  });
};
