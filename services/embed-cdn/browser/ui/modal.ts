import type { CloseKind, Ui } from '../core/ui.ts';
import { element } from './dom.ts';
import { renderForm } from './form.ts';
import { lockScroll } from './scroll-lock.ts';
import { createHost } from './shadow.ts';
import { applyTheme } from './theme.ts';

/** Shows a form in the page's top layer, above any z-index. */
export const openModal: Ui['openModal'] = ({ onClose, ...view }) => {
  const { popup } = view.form;
  const { host, shadow } = createHost('modal');
  const opener = deepestActive();
  let isConverted = false;

  const decline = element('button', { type: 'button', textContent: popup?.decline?.text ?? 'No thanks' });
  const form = renderForm(
    {
      ...view,
      onConverted() {
        isConverted = true;
        view.onConverted();
      },
    },
    ...(popup?.decline?.enabled ? [decline] : []),
  );
  const cross = element('button', { type: 'button', className: 'close', aria: { label: 'Close' } }, '×');
  const dialog = element(
    'dialog',
    { className: 'root modal', aria: { labelledby: form.titleId } },
    form.node,
    cross,
  );
  const page = document.body ?? document.documentElement;
  dialog.dir = getComputedStyle(page).direction;
  shadow.append(dialog);
  document.documentElement.append(host);
  applyTheme(dialog, view.form, page);
  const unlock = lockScroll();
  dialog.showModal();
  form.focus();

  let isClosed = false;
  const close = (kind: CloseKind) => {
    if (isClosed) return;
    isClosed = true;
    unlock();
    host.remove();
    if (opener?.isConnected) opener.focus({ preventScroll: true });
    onClose(kind);
  };
  /** There is nothing left to decline after a conversion. */
  const dismiss = () => close(isConverted ? 'other' : 'passive');

  let isComposing = false;
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    // The Escape key of an input method cancels the composition, not the form.
    isComposing = event.isComposing;
    if (isComposing) return;
    event.preventDefault();
    dismiss();
  });
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    if (!isComposing) dismiss();
    isComposing = false;
  });
  dialog.addEventListener('close', dismiss);
  cross.addEventListener('click', dismiss);
  decline.addEventListener('click', () => close('declined'));
  // Both events must hit the backdrop: selecting text beyond the edge isn't a wish to close.
  const isOutside = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (x < left || x > right || y < top || y > bottom);
  };
  let isPressedOutside = false;
  dialog.addEventListener('mousedown', (event) => (isPressedOutside = isOutside(event)));
  dialog.addEventListener('click', (event) => {
    if (isPressedOutside && isOutside(event)) dismiss();
  });
  return { close: () => close('other') };
};

function deepestActive(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active instanceof HTMLElement && active !== document.body ? active : null;
}
