import type { PreviewEvent } from '@svcforms/contracts';

/** Posts an event to the page around the preview. It contains no secrets. */
export function tell(event: PreviewEvent): void {
  parent.postMessage({ svcPreview: event }, '*');
}
