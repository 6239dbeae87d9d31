import type { CloseKind, Ui, UiChunk } from '../core/ui.ts';
import { openModal as openNow } from '../ui/modal.ts';
import { renderInline as renderNow } from '../ui/inline.ts';
import { loadParts, type Parts } from '../ui/parts.ts';

/** The file names of the chunks, defined by the build. */
declare const CHOICES_FILE: string;
declare const PICTURES_FILE: string;

const load = <Part>(file: string) => import(new URL(file, import.meta.url).href) as Promise<Part>;

export const prepare: UiChunk['prepare'] = async (form) => {
  await loadParts(form, {
    choices: () => load<Parts['choices']>(CHOICES_FILE),
    pictures: () => load<Parts['pictures']>(PICTURES_FILE),
  });
  return { openModal: openNow, renderInline: renderNow };
};

// Cached loaders of earlier versions don't prepare a form.
export const renderInline: Ui['renderInline'] = (view) =>
  void prepare(view.form).then(
    (ui) => ui.renderInline(view),
    () => {},
  );

export const openModal: Ui['openModal'] = (view) => {
  let opened: { close: () => void } | undefined;
  let end: ((kind: CloseKind) => void) | undefined = view.onClose;
  prepare(view.form).then(
    (ui) => end && (opened = ui.openModal(view)),
    () => end?.('other'),
  );
  return {
    close() {
      if (opened) opened.close();
      else end?.('other');
      end = undefined;
    },
  };
};
