import type { CloseKind, Ui, UiChunk } from '../core/ui.ts';

/** The hash in the names of all chunks, defined by the build. */
declare const HASH: string;

const MAX_ATTEMPTS = 5;

/**
 * Loads the renderer of this build. While an update runs, another process may know it only as a
 * chunk of another build and redirect to its own `ui-old`, or back to this very module. Another
 * address is another module, and probably reaches another process.
 */
async function load(attempt = 1): Promise<UiChunk> {
  const { href } = new URL(`ui.${HASH}.js?${attempt}`, import.meta.url);
  const chunk = (await import(href)) as UiChunk;
  if (!('openModal' in chunk)) return chunk;
  if (attempt === MAX_ATTEMPTS) throw new Error('An update is running');
  return load(attempt + 1);
}

const loading = load();

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
