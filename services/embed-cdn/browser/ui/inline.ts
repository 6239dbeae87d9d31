import type { FormView } from '../core/ui.ts';
import { element } from './dom.ts';
import { renderForm } from './form.ts';
import { createHost } from './shadow.ts';
import type { SpokenView } from './spoken.ts';
import { applyTheme } from './theme.ts';

/**
 * Shows a form at its script tag, or at the end of the page if the tag is in the head.
 * @returns removes it
 */
export function renderInline({ tag, ...view }: SpokenView<FormView & { tag: Element }>): () => void {
  const { host, shadow } = createHost('inline');
  const isInPage = () => tag.isConnected && !document.head.contains(tag);
  const place = () => {
    const { language, dir = '', words } = view.spoken;
    const root = element('div', { className: 'root', lang: language, dir }, renderForm(view).node);
    shadow.append(root);
    if (isInPage()) tag.after(host);
    else document.body.append(host);
    applyTheme(root, view.form, host.parentElement ?? document.body, words.font);
    view.emit('shown');
  };
  if (isInPage() || document.readyState !== 'loading') place();
  else document.addEventListener('DOMContentLoaded', place, { once: true });
  return () => host.remove();
}
