import type { FormView } from '../core/ui.ts';
import { element } from './dom.ts';
import { renderForm } from './form.ts';
import { createHost } from './shadow.ts';
import type { SpokenView } from './spoken.ts';
import { applyTheme } from './theme.ts';

/** Shows a form at its script tag, or at the end of the page if the tag is in the head. */
export function renderInline({ tag, ...view }: SpokenView<FormView & { tag: Element }>): void {
  const place = () => {
    const { host, shadow } = createHost('inline');
    const { language, dir = '', words } = view.spoken;
    const root = element('div', { className: 'root', lang: language, dir }, renderForm(view).node);
    shadow.append(root);
    if (document.body.contains(tag)) tag.after(host);
    else document.body.append(host);
    applyTheme(root, view.form, host.parentElement ?? document.body, words.font);
  };
  if (document.body?.contains(tag) || document.readyState !== 'loading') place();
  else document.addEventListener('DOMContentLoaded', place, { once: true });
}
