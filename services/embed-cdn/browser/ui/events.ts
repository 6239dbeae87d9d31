import { has } from '../core/placement.ts';
import type { FormView } from '../core/ui.ts';

/** What a form tells the page. docs/reference/embed.md#events */
export type Emit = (
  type: 'shown' | 'step' | 'submitted' | 'declined' | 'closed' | 'error',
  detail?: Record<string, unknown>,
) => void;

/** The exports of the chunk that is loaded for tags with `data-svc-data-layer`. */
export interface DataLayerChunk {
  push: (tag: Element, view: FormView, entry: { event: string }) => Promise<void>;
}

/**
 * Returns what dispatches the events of a shown form. The values leave the form only if the tag
 * says so.
 */
export const createEmitter =
  (
    formId: string,
    placement: string,
    tag: Element | null | undefined,
    view: FormView,
    loadDataLayer: () => Promise<DataLayerChunk>,
  ): Emit =>
  (type, { data, ...more } = {}) => {
    const detail = {
      formId,
      placement,
      ...more,
      ...(data !== undefined && has(tag, 'share-values') && { data }),
    };
    const event = `svc:${type}`;
    document.dispatchEvent(new CustomEvent(event, { detail }));
    if (has(tag, 'data-layer'))
      loadDataLayer()
        .then(({ push }) => push(tag as Element, view, { event, ...detail }))
        .catch(() => {});
  };
