import { activeElement } from '../core/active-element.ts';
import type { CloseKind, PopupView } from '../core/ui.ts';
import { element } from './dom.ts';
import { renderForm } from './form.ts';
import { parts } from './parts.ts';
import { lockScroll } from './scroll-lock.ts';
import { createHost } from './shadow.ts';
import { createTell, type SpokenView } from './spoken.ts';
import { applyTheme } from './theme.ts';

const REASONS = { passive: 'dismissed', declined: 'declined', other: 'script' } as const;

/**
 * Shows a form in the page's top layer, above any z-index: as a modal, or as its placement says.
 */
export function openModal({ onClose, emit, ...view }: SpokenView<PopupView>): { close: () => void } {
  const { popup } = view.form;
  const { spoken } = view;
  const tell = createTell(spoken);
  const { host, shadow } = createHost('svc-modal');
  const opener = activeElement() as HTMLElement | null;
  let isConverted = false;

  const decline = element('button', {
    type: 'button',
    textContent: popup?.decline?.text ?? tell('decline'),
    onclick: () => close('declined'),
  });
  const form = renderForm(
    {
      ...view,
      emit,
      onConverted() {
        isConverted = true;
        view.onConverted();
      },
    },
    popup?.decline?.enabled && decline,
  );
  const cross = element(
    'button',
    { type: 'button', className: 'close', onclick: () => dismiss(), aria: { label: tell('close') } },
    '×',
  );
  const dialog = element(
    'dialog',
    { className: 'root modal', aria: { labelledby: form.titleId } },
    form.node,
    cross,
  );
  const page = document.body ?? document.documentElement;
  dialog.lang = spoken.language;
  dialog.dir = spoken.dir ?? getComputedStyle(page).direction;
  shadow.append(dialog);
  document.documentElement.append(host);
  // Scripts that scroll the page themselves would cancel the scrolling of the popup. Browsers
  // scroll without waiting for passive handlers.
  for (const type of ['wheel', 'touchmove'])
    host.addEventListener(type, (event) => event.stopPropagation(), { passive: true });
  applyTheme(dialog, view.form, page, spoken.words.font);

  let isClosed = false;
  const close = (kind: CloseKind) => {
    if (isClosed) return;
    isClosed = true;
    removals.disconnect();
    const returnsFocus = !leave || shadow.activeElement;
    undo();
    // Not `remove`, which needs a parent on a page with Prototype.js.
    host.replaceWith();
    if (returnsFocus) opener?.focus({ preventScroll: true });
    onClose(kind);
    if (kind === 'declined') emit(kind);
    emit('closed', { reason: isConverted ? 'submitted' : REASONS[kind] });
  };
  /** There is nothing left to decline after a conversion. */
  const dismiss = () => close(isConverted ? 'other' : 'passive');

  let isComposing = false;
  dialog.onkeydown = (event) => {
    if (event.key !== 'Escape') return;
    // The Escape key of an input method cancels the composition, not the form. Its key code isn't
    // that of Escape, even in Safari, which ends the composition before it sends the event.
    isComposing = event.keyCode !== 27;
    if (isComposing) return;
    event.preventDefault();
    dismiss();
  };
  dialog.oncancel = (event) => {
    event.preventDefault();
    if (!isComposing) dismiss();
    isComposing = false;
  };
  dialog.onclose = dismiss;
  // Both events must hit the backdrop: selecting text beyond the edge isn't a wish to close.
  const isOutside = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const box = dialog.getBoundingClientRect();
    return target === dialog && (x < box.left || x > box.right || y < box.top || y > box.bottom);
  };
  let isPressedOutside = false;
  // Handlers that return false would cancel the event.
  dialog.onmousedown = (event) => void (isPressedOutside = isOutside(event));
  dialog.onclick = (event) => {
    if (isPressedOutside && isOutside(event)) dismiss();
  };

  // A script of the page may remove the popup, and the page must not stay locked.
  const removals = new MutationObserver(() => host.isConnected || close('other'));
  removals.observe(document, { childList: true, subtree: true });

  const leave = parts.placements?.place(dialog, view.form, dismiss);
  const undo = leave ?? lockScroll();
  if (!leave) dialog.showModal();
  // Popups that don't cover the page interrupt nobody who didn't ask for them.
  if (!leave || view.isWanted) form.focus();
  // Handlers of the page may close the popup, so they run when the caller knows how.
  queueMicrotask(() => emit('shown'));
  return { close: () => close('other') };
}
