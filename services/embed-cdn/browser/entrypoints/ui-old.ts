import type { CloseKind, Ui, UiChunk } from '../core/ui.ts';

/** The hash in the names of all chunks, defined by the build. */
declare const HASH: string;

const loading = import(new URL(`ui.${HASH}.js`, import.meta.url).href) as Promise<UiChunk>;

/** Loaders that were cached before an update don't say how they show the form. */
export const prepare: UiChunk['prepare'] = (form, tag) =>
  loading.then((chunk) => chunk.prepare(form, tag, true));

// Those of still earlier versions don't prepare a form.
export const renderInline = (view: Parameters<Ui['renderInline']>[0]): void =>
  void prepare(view.form, view.tag).then(
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
