import type { DataLayerChunk } from '../ui/events.ts';

/**
 * Pushes to the data layer that the tag names, such as that of Google Tag Manager, and creates it
 * if it's missing. Only this depends on the visitor's consent: the events stay in the page.
 */
export const push: DataLayerChunk['push'] = async (tag, { mayCount }, entry) => {
  if (!(await mayCount?.())) return;
  const page = window as unknown as Record<string, unknown[] | undefined>;
  (page[tag.getAttribute('data-svc-data-layer') || 'dataLayer'] ??= []).push(entry);
};
