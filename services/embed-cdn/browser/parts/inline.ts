import type { Parts } from '../ui/parts.ts';

/** Shows the form at its script tag, or at the end of the page if the tag is in the head. */
export const placeInline: Parts['inline']['placeInline'] = (
  { tag, ...view },
  { host, shadow },
  renderForm,
  applyTheme,
) => {
  const isInPage = () => tag.isConnected && !tag.closest('head');
  const place = () => {
    const { language, dir = '', words } = view.spoken;
    const { node: root } = renderForm(view);
    root.className = 'root';
    root.lang = language;
    root.dir = dir;
    shadow.append(root);
    // A dialog around the form needs these keys: it closes on Escape and keeps the focus on Tab.
    host.onkeydown = host.onkeyup = (event) => /^(Esc|Tab)/.test(event.key) || event.stopPropagation();
    if (isInPage()) tag.after(host);
    else document.body.append(host);
    // Tools that swap parts of a page run a tag again, beside the form that it had.
    const old = host.nextSibling;
    if (old?.isEqualNode(host)) old.replaceWith();
    applyTheme(root, view.form, host.parentElement, words.font);
    view.emit('shown');
  };
  if (isInPage() || document.readyState !== 'loading') place();
  else document.addEventListener('DOMContentLoaded', place, { once: true });
  return () => host.replaceWith();
};

/** What hides or disables the elements around a form applies to it too. */
export const styles = ':host(.svc-inline){visibility:inherit!important;pointer-events:inherit!important}';
