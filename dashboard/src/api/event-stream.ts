/** After the product has refused a stream, or ended it, in such a way that the browser gives up. */
const TRY_AGAIN_MS = 10_000;

/**
 * Tells of every event of these types, as they come, and that some may have been missed; until the returned function is called.
 * contract: tasks.md, Stream
 */
export function listen(types: readonly string[], onEvent: (type: string) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    source = new EventSource(`/api/mcp/events/${types.join(',')}`);
    for (const type of [...types, 'stream.reset']) source.addEventListener(type, () => onEvent(type));
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(timer);
      timer = setTimeout(open, TRY_AGAIN_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
