import type { ApiRequest } from './request.ts';
import { readPage, type Page } from './responses.ts';
import type { Transport } from './transport.ts';

/** A list that loads its pages during iteration over it, or over its `pages()`. */
export class Pager<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #request: ApiRequest;

  /** @internal */
  constructor(transport: Transport, request: ApiRequest) {
    this.#transport = transport;
    this.#request = request;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    for await (const page of this.pages()) yield* page.items;
    return undefined;
  }

  /**
   * Iterates over pages. Pass a page's `nextCursor` to `list({ cursor })` to continue after it. A
   * page of a text search may be empty and still have a `nextCursor`.
   */
  async *pages(): AsyncGenerator<Page<T>, undefined> {
    let request = this.#request;
    for (;;) {
      const page = readPage<T>(await this.#transport.send(request));
      yield page;
      if (page.nextCursor === null) return undefined;
      request = { ...this.#request, query: { ...this.#request.query, cursor: page.nextCursor } };
    }
  }

  /** Loads all pages into one array. */
  async toArray(): Promise<T[]> {
    const entries: T[] = [];
    for await (const entry of this) entries.push(entry);
    return entries;
  }
}
