import type { PreviewEvent, PublicForm } from '@svcforms/contracts';
import { spokenIn } from './spoken-in.ts';
import { renderInline } from '../ui/inline.ts';

const focus = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'focus') ?? {};

/** Shows the form in place of the one before. */
export function showForm(form: PublicForm, onConverted = () => {}): void {
  document.querySelectorAll('svc-form').forEach((host) => host.remove());
  renderInline({
    // The tag isn't in the page, so the form is appended to it.
    tag: document.createElement('script'),
    form: previewed(form),
    spoken: spokenIn(form),
    emit: () => {},
    base: location.origin,
    prefill: false,
    page: false,
    onConverted() {
      postPreviewEvent('converted');
      onConverted();
    },
  });
}

/** Shows the thank-you page by submitting a form without fields. */
export function showThankYou(form: PublicForm): void {
  // The user works in the dashboard, so the thank-you page must not take the focus.
  Object.defineProperty(HTMLElement.prototype, 'focus', { ...focus, value: () => {} });
  showForm({ ...form, fields: [] }, () =>
    queueMicrotask(() => Object.defineProperty(HTMLElement.prototype, 'focus', focus)),
  );
  document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLElement>('.primary')?.click();
}

/** Disables drafts and redirects. */
export function previewed(form: PublicForm): PublicForm {
  const { redirectUrl: _, ...thankYou } = form.thankYou ?? {};
  const endings = form.endings?.map(({ redirectUrl: __, ...ending }) => ending);
  return { ...form, keepDraft: false, thankYou, ...(endings && { endings }) };
}

/** Posts an event to the page around the preview. It contains no secrets. */
export function postPreviewEvent(event: PreviewEvent): void {
  parent.postMessage({ svcPreview: event }, '*');
}
