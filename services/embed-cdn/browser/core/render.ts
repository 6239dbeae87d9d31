import type { Find, FormEntry } from './form-entry.ts';

/** The attributes of a script tag, as options. docs/reference/embed.md#render-a-form */
export interface RenderOptions {
  lang?: string | undefined;
  prefill?: boolean | undefined;
  page?: boolean | undefined;
  shareValues?: boolean | undefined;
  dataLayer?: boolean | string | undefined;
}

/** A form that `SvcForms.render` shows. */
export interface Rendered {
  /** Removes the form. */
  destroy: () => void;
}

type ShowInline = (
  entry: FormEntry,
  tag: Element,
  isWanted: () => boolean,
) => Promise<(() => void) | undefined>;

/** The parameters of `SvcForms.render`. */
type Target = [element: Element, formId: string, options?: RenderOptions];

/** The exports of the chunk that is loaded for `SvcForms.render`. */
export interface RenderChunk {
  /** Returns a function that removes the form. */
  render: (find: Find, showInline: ShowInline, ...target: Target) => () => void;
}

/** Renders a form once the chunk has loaded, unless it has been destroyed by then. */
export function renderLater(
  loading: Promise<RenderChunk>,
  find: Find,
  showInline: ShowInline,
  target: Target,
): Rendered {
  let end: (() => void) | undefined = () => {};
  loading.then(
    ({ render }) => {
      if (end) end = render(find, showInline, ...target);
    },
    () => {},
  );
  return {
    destroy() {
      end?.();
      end = undefined;
    },
  };
}
