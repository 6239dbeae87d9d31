// Parses server-sent events, as the WHATWG HTML standard specifies, and the comments of our server.

const POSITION = 'position ';

/** One frame of the stream. */
export interface Frame {
  /** The last event id, from this frame or an earlier one; empty before the first id. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Decodes a stream from chunks of any size. Lines end with LF, CR or CRLF only. */
export class FrameDecoder {
  /** The id of the last complete frame, or the position that the server reported after it. */
  lastId = '';
  /** The reconnection delay that the server requested, in milliseconds. */
  retryMs: number | null = null;
  // It removes a byte order mark, too.
  readonly #decoder = new TextDecoder();
  #rest = '';
  #id = '';
  #event = '';
  #data: string[] = [];

  /** Returns the frames that this chunk completes. */
  feed(chunk: Uint8Array): Frame[] {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    // A CR at the end may be the first half of a CRLF.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? '') + text.slice(end);
    return lines.flatMap((line) => this.#take(line) ?? []);
  }

  #take(line: string): Frame | null {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    // The server reports positions between events in comments.
    if (name === '' && value.startsWith(POSITION)) this.lastId = this.#id = value.slice(POSITION.length);
    else if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  #dispatch(): Frame | null {
    this.lastId = this.#id;
    const frame = { id: this.lastId, event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? null : frame;
  }
}
