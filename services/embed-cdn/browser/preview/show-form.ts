import type { PublicForm } from '@svcforms/contracts';
import { renderInline } from '../ui/inline.ts';
import { tell } from './tell.ts';

/** The form in the place of what was shown before. */
export function showForm(form: PublicForm): void {
  document.querySelectorAll('svc-form').forEach((host) => host.remove());
  renderInline({
    // Nowhere in the page: the form comes at its end.
    tag: document.createElement('script'),
    form: previewed(form),
    base: location.origin,
    prefill: false,
    page: false,
    onConverted: () => tell('converted'),
  });
}

/** What comes after submitting, by submitting a form that asks nothing. */
export function showThankYou(form: PublicForm): void {
  showForm({ ...form, fields: [] });
  document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLElement>('.primary')?.click();
}

/** Keeps nothing of what is typed, and leads nowhere. */
export function previewed(form: PublicForm): PublicForm {
  const { redirectUrl: _, ...thankYou } = form.thankYou ?? {};
  return { ...form, keepDraft: false, thankYou };
}
