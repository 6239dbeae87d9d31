/** After the product has refused a stream, or ended it, in such a way that the browser gives up. */
const TRY_AGAIN_MS = 10_000;

/** What is told of an event. */
export interface StreamEvent {
  type: string;
  /** Which form it is about, where its data say so. */
  formId?: string;
}

/** Told where some events may have been missed: when the stream has been opened, also again. */
export const MAY_HAVE_MISSED = 'stream.reset';

/**
 * Tells of every event of these types, as they come, and that some may have been missed; until the returned function is called.
 * While the page is not to be seen there is no stream: browsers have few connections to one host, which all pages of it share.
 * contract: tasks.md, Stream
 */
export function listen(types: readonly string[], onEvent: (event: StreamEvent) => void): () => void {
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
    opened.addEventListener('open', () => onEvent({ type: MAY_HAVE_MISSED }));
    for (const type of [...types, MAY_HAVE_MISSED]) {
      opened.addEventListener(type, ({ data }: MessageEvent<string>) =>
        onEvent({ type, ...formOf(JSON.parse(data)) }),
      );
    }
    opened.addEventListener('error', () => {
      if (opened !== source || opened.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(open, TRY_AGAIN_MS);
    });
  };
  const follow = () => (document.hidden ? close() : open());

  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    close();
  };
}

/** Events of tasks call it the template. */
function formOf({ data }: { data?: { formId?: string; templateId?: string } }): Pick<StreamEvent, 'formId'> {
  const formId = data?.formId ?? data?.templateId;
  return formId === undefined ? {} : { formId };
}
