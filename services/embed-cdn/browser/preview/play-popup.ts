import { savedTriggers, type PreviewRequest, type PublicForm } from '@svcforms/contracts';
import { GUARD_MS } from '../core/guard.ts';
import { createRegistry } from '../core/registry.ts';
import type { Trigger, TriggerTable } from '../core/trigger.ts';
import { exit } from '../triggers/exit.ts';
import { scroll } from '../triggers/scroll.ts';
import { createTriggers } from '../triggers/table.ts';
import { visible } from '../triggers/visible.ts';
import { openModal } from '../ui/modal.ts';
import { renderInline } from '../ui/inline.ts';
import { spokenIn } from './spoken-in.ts';
import { showSamplePage } from './sample-page.ts';
import { goToStep, passable, postPreviewEvent, previewed } from './show-form.ts';

/**
 * Removes the rules that depend on the visitor and the page. The dashboard explains those in words.
 * The form needs no input before the step.
 */
export function playable(form: PublicForm, step = 1): PublicForm {
  const { pages: _, devices: __, trackingConsent: ___, maxShows: ____, ...popup } = form.popup ?? {};
  return { ...previewed(passable(form, step)), popup: { ...popup, enabled: true } };
}

/**
 * Arms the form's trigger on a sample page, the same way as the embed on a real page, or opens it.
 */
export async function playPopup(
  form: PublicForm,
  { isGuardOver, opensNow, step = 1 }: Extract<PreviewRequest, { show: 'popup' }>,
): Promise<void> {
  showSamplePage(savedTriggers(form.popup ?? {}));
  const registry = createRegistry({
    triggers: isGuardOver ? notWaiting : triggers,
    base: location.origin,
    loadUi: async () => ({
      renderInline: (view) => renderInline({ ...view, spoken: spokenIn(form), emit: () => {} }),
      openModal(view) {
        postPreviewEvent('opened');
        const modal = openModal({
          ...view,
          spoken: spokenIn(form),
          emit: () => {},
          onConverted() {
            postPreviewEvent('converted');
            view.onConverted();
          },
          onClose(kind) {
            postPreviewEvent(kind === 'declined' ? 'declined' : 'closed');
            view.onClose(kind);
          },
        });
        goToStep(form, step);
        return modal;
      },
    }),
    // A preview is one page with one form, whose tag names no trigger.
    load: (name) => Promise.reject(new Error(`a preview has no ${name}`)),
  });
  if (opensNow) return void (await registry.open(form.id));
  const tag = document.createElement('script');
  tag.setAttribute('data-svc-form-id', form.id);
  await registry.add(tag, performance.now() - (isGuardOver ? GUARD_MS : 0));
  postPreviewEvent('armed');
}

const triggers = createTriggers(async () => ({ exit, scroll, visible }));

/** Skipping the guard must not count as time on the page for these triggers. */
const later =
  <C extends Parameters<Trigger>[0]>(trigger: Trigger<C>): Trigger<C> =>
  (condition, arming) =>
    trigger(condition, { ...arming, elapsed: () => arming.elapsed() - GUARD_MS });

const notWaiting: TriggerTable = {
  ...triggers,
  delay: later(triggers.delay),
  inactivity: later(triggers.inactivity),
};
