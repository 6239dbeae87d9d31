import { atEnd, poll, readEvents, type EventReader } from '@svcforms/test-kit';

export interface StreamWatch {
  /** Ids of submissions in the order of their frames. */
  seen(): string[];
  /** The number of reconnects. */
  reconnects(): number;
  /** Frames that report a gap. */
  resets(): string[];
}

const PAUSE_MS = 300;

/**
 * Watches `form.submission.new` as a browser does: reconnects when the stream ends and resumes
 * after the last frame.
 */
export function watchStream(baseUrl: string, token: string): StreamWatch {
  const url = `${baseUrl}/api/mcp/events/form.submission.new`;
  const readers: EventReader[] = [];
  let connections = 0;
  let isOver = false;
  atEnd(() => void (isOver = true));

  async function watch(): Promise<void> {
    let lastEventId: string | undefined;
    while (!isOver) {
      connections += 1;
      const reader = await readEvents(url, { token, lastEventId }).catch(() => null);
      if (reader) {
        readers.push(reader);
        await poll(() => isOver || reader.hasEnded(), { timeoutMs: Infinity });
        reader.close();
        lastEventId = reader.lastEventId();
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  void watch();

  const dataOf = (isWanted: (event: string) => boolean) =>
    readers.flatMap(({ frames }) => frames.filter(({ event }) => isWanted(event)).map(({ data }) => data));
  return {
    seen: () =>
      dataOf((event) => event !== 'stream.reset').map(
        (data) => (JSON.parse(data) as { submissionId: string }).submissionId,
      ),
    reconnects: () => connections - 1,
    resets: () => dataOf((event) => event === 'stream.reset'),
  };
}
