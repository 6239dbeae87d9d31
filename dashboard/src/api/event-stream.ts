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
function subscribe(types: readonly string[], onEvent: (event: StreamEvent) => void): () => void {
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

/** The minimum time between refreshes, however many events arrive. */
const MIN_REFRESH_INTERVAL_MS = 1_000;
/** The next event replaces a refresh that takes longer, as on a connection that has died. */
const MAX_REFRESH_MS = 10_000;

/**
 * Refreshes when events of these types arrive, and once more if others arrive during a refresh. A
 * refresh of a query cancels the one that is running, so the next one waits for its end: otherwise
 * none would end while events arrive faster than that.
 */
export function refreshOn(
  types: readonly string[],
  refresh: () => Promise<unknown>,
  matches: (event: StreamEvent) => boolean = () => true,
): () => void {
  let isDue = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    try {
      while (isDue) {
        isDue = false;
        await Promise.all([Promise.race([refresh(), pause(MAX_REFRESH_MS)]), pause(MIN_REFRESH_INTERVAL_MS)]);
      }
    } finally {
      isRunning = false;
    }
  };
  const unsubscribe = subscribe(types, (event) => {
    isDue ||= matches(event);
    if (!isRunning) void run();
  });
  return () => {
    isDue = false;
    unsubscribe();
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Task events call the form `templateId`. */
function formOf({ data }: { data?: { formId?: string; templateId?: string } }): Pick<StreamEvent, 'formId'> {
  const formId = data?.formId ?? data?.templateId;
  return formId === undefined ? {} : { formId };
}
