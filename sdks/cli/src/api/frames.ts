/** What a stream of server-sent events contains, in its order. docs/reference/events.md#frames */
export type StreamItem =
  /** An event. `position` is the one after it. */
  | { kind: 'event'; position: string; type: string; data: string }
  /** The server says from where nothing is missed. */
  | { kind: 'position'; position: string };

const POSITION = ': position ';

/** Decodes a stream from chunks of any size. */
export class FrameDecoder {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #fields = new Map<string, string>();

  /** Returns what this chunk completes. */
  feed(chunk: Uint8Array): StreamItem[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line) ?? []);
  }

  #take(line: string): StreamItem | null {
    if (line.startsWith(POSITION)) return { kind: 'position', position: line.slice(POSITION.length) };
    if (line !== '') {
      const [name = ''] = line.split(':', 1);
      if (name !== '') this.#fields.set(name, line.slice(name.length + 1).replace(/^ /, ''));
      return null;
    }
    const { id, event, data } = Object.fromEntries(this.#fields);
    this.#fields.clear();
    if (id === undefined || event === undefined || data === undefined) return null;
    return { kind: 'event', position: id, type: event, data };
  }
}
