/** The delay before a new stream when the browser doesn't reconnect by itself. */
const RECONNECT_MS = 10_000;

interface StreamEvent {
  type: string;
  /** Id of the event's form, if its data contains one. */
  formId?: string;
}

/** Sent when a stream opens or reconnects, because events may be missing before that. */
export const STREAM_RESET = 'stream.reset';

/**
 * Subscribes to events of these types, and to `STREAM_RESET`. Returns a function that unsubscribes.
 * A hidden page closes its stream, because all pages of a host share few connections in a browser.
 * docs/reference/events.md#event-stream
 */
export function subscribe(types: readonly string[], onEvent: (event: StreamEvent) => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const open = () => {
    close();
    const opened = new EventSource(`/api/mcp/events/${types.join(',')}`);
    source = opened;
    opened.addEventListener('open', () => onEvent({ type: STREAM_RESET }));
    for (const type of [...types, STREAM_RESET]) {
      opened.addEventListener(type, ({ data }: MessageEvent<string>) =>
        onEvent({ type, ...formOf(JSON.parse(data)) }),
      );
    }
    opened.addEventListener('error', () => {
      if (opened !== source || opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(open, RECONNECT_MS);
    });
  };
  const update = () => (document.hidden ? close() : open());

  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    close();
  };
}

/** Task events call the form `templateId`. */
function formOf({ data }: { data?: { formId?: string; templateId?: string } }): Pick<StreamEvent, 'formId'> {
  const formId = data?.formId ?? data?.templateId;
  return formId === undefined ? {} : { formId };
}
