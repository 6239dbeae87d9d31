import type { RenderChunk } from '../core/render.ts';

/** What each element shows. */
const rendered = new WeakMap<Element, { formId: string; tag: Element; end: () => void }>();

/** Shows a form in an element, after an invisible tag that has the options as its attributes. */
export const render: RenderChunk['render'] = (find, showInline, element, formId, options) => {
  const warn = () =>
    console.warn('SvcForms: render needs an element in the page for', formId, 'but got', element);
  // An element or a shadow root, even one of another frame.
  if (![1, 11].includes(element?.nodeType)) {
    warn();
    return () => {};
  }
  const known = rendered.get(element);
  // A script of the page may have emptied the element.
  if (known && known.formId === formId && element.contains(known.tag)) return known.end;
  known?.end();

  const tag = document.createElement('template');
  for (const [name, value] of Object.entries(options ?? {})) {
    const attribute = `data-svc-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value != null && value !== false) tag.setAttribute(attribute, value === true ? '' : value);
  }
  element.append(tag);
  // A view of an app may end while the form is loading, before the app destroys it.
  const wasInPage = tag.isConnected;
  let isOver = false;
  let remove: (() => void) | undefined;
  const isWanted = () => {
    if (!isOver && !wasInPage && !tag.isConnected) warn();
    return !isOver && tag.isConnected;
  };
  const end = () => {
    isOver = true;
    remove?.();
    // Not `remove`, which needs a parent on a page with Prototype.js.
    tag.replaceWith();
  };
  rendered.set(element, { formId, tag, end });
  find(String(formId))
    .then((entry) => entry && showInline(entry, tag, isWanted))
    .then((removeForm) => {
      remove = removeForm;
      // A handler of the page may have destroyed it as soon as it was shown. Without a form, the
      // element is as before, so that the page can try again.
      if (isOver || !remove) end();
    }, end);
  return end;
};
