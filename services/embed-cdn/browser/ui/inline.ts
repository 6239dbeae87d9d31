import type { Ui } from '../core/ui.ts';
import { element } from './dom.ts';
import { renderForm } from './form.ts';
import { createHost } from './shadow.ts';
import { applyTheme } from './theme.ts';

/** Shows a form at its script tag, or at the end of the page if the tag is in the head. */
export const renderInline: Ui['renderInline'] = ({ tag, ...view }) => {
  const place = () => {
    const { host, shadow } = createHost('inline');
    const root = element('div', { className: 'root' }, renderForm(view).node);
    shadow.append(root);
    if (document.body.contains(tag)) tag.after(host);
    else document.body.append(host);
    applyTheme(root, view.form, host.parentElement ?? document.body);
  };
  if (document.body?.contains(tag) || document.readyState !== 'loading') place();
  else document.addEventListener('DOMContentLoaded', place, { once: true });
};
