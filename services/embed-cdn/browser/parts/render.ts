import type { RenderChunk } from '../core/render.ts';

/** What each element shows. */
const rendered = new WeakMap<Element, { formId: string; tag: Element; end: () => void }>();

/** Shows a form in an element, after an invisible tag that has the options as its attributes. */
export const render: RenderChunk['render'] = (find, showInline, element, formId, options) => {
  if (!element?.append) {
    console.warn('SvcForms: the element of', formId, 'is', element);
    return () => {};
  }
  const known = rendered.get(element);
  // A script of the page may have emptied the element.
  if (known && known.formId === formId && element.contains(known.tag)) return known.end;
  known?.end();

  const tag = document.createElement('template');
  for (const [name, value] of Object.entries(options ?? {})) {
    const attribute = `data-svc-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value !== undefined && value !== false) tag.setAttribute(attribute, value === true ? '' : value);
  }
  element.append(tag);
  // A view of an app may end while the form is loading, before the app destroys it.
  const wasInPage = tag.isConnected;
  let isOver = false;
  let remove: (() => void) | undefined;
  const isWanted = () => {
    if (!isOver && !wasInPage && !tag.isConnected)
      console.warn('SvcForms: the element of', formId, 'is not in the page');
    return !isOver && tag.isConnected;
  };
  const end = () => {
    isOver = true;
    remove?.();
    tag.remove();
    if (rendered.get(element)?.tag === tag) rendered.delete(element);
  };
  rendered.set(element, { formId, tag, end });
  find(String(formId))
    .then((entry) => (entry ? showInline(entry, tag, isWanted) : undefined))
    .then(
      (removeForm) => {
        remove = removeForm;
        // A handler of the page may have destroyed it as soon as it was shown.
        if (isOver) end();
      },
      () => {},
    );
  return end;
};
