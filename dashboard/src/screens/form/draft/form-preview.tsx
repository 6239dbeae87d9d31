import { Paper } from '@mantine/core';
import type { PreviewEvent, PreviewRequest } from '@svcforms/contracts';
import { useEffect, useRef, useState } from 'react';

/** The embed in a sandboxed frame with an opaque origin and without network access. */
export function FormPreview({
  title,
  request,
  height,
  onEvent,
}: {
  title: string;
  request: PreviewRequest;
  height: number;
  onEvent?: (event: PreviewEvent) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<{ svcPreview?: PreviewEvent } | null>) => {
      if (!data?.svcPreview || source !== frame.current?.contentWindow) return;
      if (data.svcPreview === 'ready') setReady(true);
      onEvent?.(data.svcPreview);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [onEvent]);
  useEffect(() => {
    // The frame has an opaque origin, so it can't be the target origin.
    if (isReady) frame.current?.contentWindow?.postMessage(request, '*');
  }, [isReady, request]);
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <iframe
        ref={frame}
        title={title}
        src="/embed/preview"
        sandbox="allow-scripts allow-forms"
        style={{ display: 'block', width: '100%', height, border: 0 }}
      />
    </Paper>
  );
}
