import type { PreviewEvent, PublicForm } from '@svcforms/contracts';
import { renderInline } from '../ui/inline.ts';

/** Shows the form in place of the one before. */
export function showForm(form: PublicForm, onConverted = () => {}): void {
  document.querySelectorAll('svc-form').forEach((host) => host.remove());
  renderInline({
    // The tag isn't in the page, so the form is appended to it.
    tag: document.createElement('script'),
    form: previewed(form),
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
  // The user works in the dashboard, so the preview must not take the focus, or draw it.
  const releaseFocus = () => {
    const { shadowRoot } = document.querySelector('svc-form') ?? {};
    (shadowRoot?.activeElement as HTMLElement | null | undefined)?.blur();
  };
  showForm({ ...form, fields: [] }, () => queueMicrotask(releaseFocus));
  document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLElement>('.primary')?.click();
}

/** Disables drafts and the redirect. */
export function previewed(form: PublicForm): PublicForm {
  const { redirectUrl: _, ...thankYou } = form.thankYou ?? {};
  return { ...form, keepDraft: false, thankYou };
}

/** Posts an event to the page around the preview. It contains no secrets. */
export function postPreviewEvent(event: PreviewEvent): void {
  parent.postMessage({ svcPreview: event }, '*');
}
