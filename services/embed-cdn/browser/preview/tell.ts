import type { PreviewEvent } from '@svcforms/contracts';

/** To the page around the preview. What it tells is no secret. */
export function tell(event: PreviewEvent): void {
  parent.postMessage({ svcPreview: event }, '*');
}
