import { element } from '../ui/dom.ts';
import type { Parts } from '../ui/parts.ts';

/** Shows the form at its script tag, or at the end of the page if the tag is in the head. */
export const placeInline: Parts['inline']['placeInline'] = (
  { tag, ...view },
  { host, shadow },
  renderForm,
  applyTheme,
) => {
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
};

export const styles = '';
