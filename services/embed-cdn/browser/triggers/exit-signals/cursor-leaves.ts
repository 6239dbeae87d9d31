import { activeElement } from '../../core/active-element.ts';
import type { ExitSignal } from './signal.ts';

/**
 * The cursor leaves through the top of the window and stays out.
 * docs/reference/triggers.md#exit-intent
 */
export const cursorLeaves: ExitSignal = ({ scope, popup, isLifted }, leave) => {
  const { exitSensitivityPx = 20, mouseLeaveDelayMs = 1000 } = popup;
  let comeBack = () => {};
  scope.on(document, 'mouseover mousemove', () => comeBack());
  scope.on(document, 'mouseout', (event) => {
    const { relatedTarget, clientX, clientY, buttons } = event as MouseEvent;
    if (relatedTarget || clientY > exitSensitivityPx || clientY >= innerHeight) return;
    if (clientX < 0 || clientX > innerWidth) return;
    // The guard is checked when the cursor leaves, not when the delay ends.
    if (buttons || !isLifted() || hasListAtTop(exitSensitivityPx)) return;
    comeBack();
    comeBack = scope.later(mouseLeaveDelayMs, leave);
  });
};

/** The cursor also leaves the document for the open list of a control near the top edge. */
function hasListAtTop(edge: number): boolean {
  const control = activeElement();
  if (!control?.matches('select,input')) return false;
  const { top, bottom } = control.getBoundingClientRect();
  return top <= edge && bottom >= 0;
}
