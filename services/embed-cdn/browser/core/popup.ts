import { compilePages, type PublicForm, type TriggerPlan } from '@svcforms/contracts';
import { isForThisDevice } from '../rules/devices.ts';
import { arm, type Armed } from './arm.ts';
import type { IsLate } from './click-target.ts';
import type { FormEntry } from './form-entry.ts';
import type { TriggerTable } from './trigger.ts';
import type { Ui } from './ui.ts';

interface PopupDeps {
  triggers: TriggerTable;
  loadUi: (form: PublicForm, tag: Element | undefined) => Promise<Ui>;
  /** Whether a popup is open or about to be. */
  isBusy: () => boolean;
  show: (
    entry: FormEntry,
    tag: Element | undefined,
    isOnPage: () => boolean,
    isLate?: IsLate,
  ) => Promise<boolean>;
}

/**
 * Returns a function that arms the triggers of a popup for the current page, instead of those for
 * the page before. `t0` is when the page began, as `performance.now()`. Returns undefined if the
 * popup isn't for this device.
 */
export function createPopup(
  { triggers, loadUi, isBusy, show }: PopupDeps,
  entry: FormEntry,
  tag: Element,
  plan: TriggerPlan,
): ((t0: number) => Promise<void>) | undefined {
  const popup = entry.form.popup ?? {};
  const isOnPage = compilePages(popup.pages, () => location.pathname);
  // Another placement or tab may have shown the form, and the page may have read that it is closed.
  const mayShow = () => entry.record.mayShow(entry.form.popup ?? {});
  let current: Armed | undefined;
  let turn = 0;
  const armNow = async (t0: number) => {
    const own = ++turn;
    current?.end();
    if (!isOnPage() || !mayShow()) return;
    await entry.ready();
    // The visitor has gone to another page in the meantime.
    if (own !== turn) return;
    entry.consent?.mayCount();
    if (current) entry.armed.delete(current);
    current = arm({
      triggers,
      plan,
      popup,
      prefixes: (tag.getAttribute('data-svc-analytics') || 'svc').split(/[\s,]+/),
      t0,
      // The browser keeps what it has loaded.
      warm: () => void loadUi(entry.form, tag).catch(() => {}),
      isBlocked: () => isBusy() || !isOnPage(),
      open: (isLate) => mayShow() && show(entry, tag, isOnPage, isLate),
    });
    entry.armed.add(current);
    entry.consent?.follow();
  };
  return isForThisDevice(popup.devices) ? armNow : undefined;
}
