import { atEnd } from '@svcforms/test-kit';

export interface StreamWatch {
  /** Ids of submissions in the order of their frames. */
  seen: readonly string[];
  /** How often it had to connect anew. */
  reconnects(): number;
  /** Frames that told of a gap. */
  resets: readonly string[];
}

const PAUSE_MS = 300;

/** Watches `form.submission.new` as a browser does: connects again where it ended, from the last frame that it saw. */
export function watchStream(baseUrl: string, token: string): StreamWatch {
  const seen: string[] = [];
  const resets: string[] = [];
  const closing = new AbortController();
  let connections = 0;
  let lastEventId: string | undefined;
  atEnd(() => closing.abort());

  function take(frame: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
    const data = field('data');
    if (!data) return;
    if (field('event') === 'stream.reset') {
      resets.push(data);
      return;
    }
    lastEventId = field('id') ?? lastEventId;
    seen.push((JSON.parse(data) as { submissionId: string }).submissionId);
  }

  async function connect(): Promise<void> {
    connections += 1;
    const answer = await fetch(`${baseUrl}/api/mcp/events/form.submission.new`, {
      headers: { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) },
      signal: closing.signal,
    });
    if (!answer.ok || !answer.body) return;
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body) {
      const frames = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
      rest = frames.pop() ?? '';
      frames.forEach(take);
    }
  }

  async function watch(): Promise<void> {
    while (!closing.signal.aborted) {
      await connect().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  void watch();
  return { seen, resets, reconnects: () => connections - 1 };
}
