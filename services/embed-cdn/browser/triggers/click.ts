import type { Condition } from '@svcforms/contracts';
import { closest, openInstead } from '../core/click-target.ts';
import type { Trigger } from '../core/trigger.ts';

type Click = Extract<Condition, { trigger: 'click' }>;

/**
 * Click: on a matching element, present or added later. A link that opens the form isn't followed.
 */
export const click: Trigger<Click> = ({ selector }, { scope, warm, fire }) => {
  document.querySelector(selector);
  const isWanted = (event: Event) => closest(event, selector);
  scope.on(document, 'pointerover focusin', (event) => {
    if (isWanted(event)) warm();
  });
  scope.on(document, 'click', (event) => {
    if (isWanted(event)) openInstead(event, (isLate) => fire(true, isLate));
  });
};
