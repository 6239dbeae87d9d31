import { Paper } from '@mantine/core';
import type { PreviewEvent, PreviewRequest } from '@svcforms/contracts';
import { useEffect, useRef, useState } from 'react';

/** The embed in a sandboxed frame with an opaque origin and without network access. */
export function FormPreview({
  title,
  request,
  height,
  keepsFocus = false,
  isLazy = false,
  onEvent,
}: {
  title: string;
  request: PreviewRequest;
  height: number;
  /**
   * Whether the focus comes back from a popup that opens: a modal takes it, even from another
   * frame.
   */
  keepsFocus?: boolean;
  /** Whether the frame loads only once it is near the visible part of the page. */
  isLazy?: boolean;
  onEvent?: (event: PreviewEvent) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  /** What has the focus while the frame loads. */
  const focused = useRef<Element | null>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    focused.current ??= document.activeElement;
    const listen = ({ source, data }: MessageEvent<{ svcPreview?: PreviewEvent } | null>) => {
      if (!data?.svcPreview || source !== frame.current?.contentWindow) return;
      if (data.svcPreview === 'ready') setReady(true);
      if (data.svcPreview === 'opened' && keepsFocus) keepFocus(focused.current, frame.current);
      onEvent?.(data.svcPreview);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [onEvent, keepsFocus]);
  useEffect(() => {
    // The frame has an opaque origin, so it can't be the target origin.
    if (isReady) frame.current?.contentWindow?.postMessage(request, '*');
  }, [isReady, request]);
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <iframe
        ref={frame}
        title={title}
        loading={isLazy ? 'lazy' : 'eager'}
        src="/embed/preview"
        sandbox="allow-scripts allow-forms"
        style={{ display: 'block', width: '100%', height, border: 0 }}
      />
    </Paper>
  );
}

/** How long a modal may take to get the focus. */
const OPENING_MS = 500;

/** Gives the focus back when the frame takes it while its modal opens. */
function keepFocus(focused: Element | null, frame: HTMLIFrameElement | null): void {
  const back = () => {
    if (document.activeElement === frame && focused instanceof HTMLElement && focused.isConnected)
      focused.focus({ preventScroll: true });
  };
  window.addEventListener('blur', back);
  setTimeout(() => {
    window.removeEventListener('blur', back);
    back();
  }, OPENING_MS);
  back();
}
