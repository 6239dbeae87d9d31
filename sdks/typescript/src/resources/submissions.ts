import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import type { CreateOptions, Delivery, QueryOf, RequestOptions, Submission } from '../types.ts';

/**
 * `client.submissions`. Scopes: `submissions:read`, `submissions:write`. `create` needs no scope,
 * but spam protection can quarantine what a key without `submissions:write` submits.
 */
export class Submissions {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Submits a form like a visitor and returns the submission's id. The server validates the values
   * and drops unknown keys. `page`: URL of the page that showed the form. `hops`: that of the
   * verified webhook that led to this submission, so that the server ends a loop.
   */
  async create(
    formId: string,
    data: object,
    { page, ...options }: CreateOptions & { page?: string | undefined; hops?: number | undefined } = {},
  ): Promise<string> {
    const path = api.path('/api/forms/{}/submissions', formId);
    const response = await this.#transport.send(api.create(path, { data, page }, options));
    return readData<{ submissionId: string }>(response).submissionId;
  }

  /**
   * Lists the submissions of a form, newest first unless `sort` is `createdAt`. `q`: only
   * submissions with a value that contains this text. `where`: only those whose field contains a
   * text (`email:@example.com`) or, for choices and numbers, equals it. `status`: `quarantined` for
   * those in quarantine instead of the accepted ones.
   */
  list(formId: string, query?: QueryOf<'listSubmissions'>, options?: RequestOptions): Pager<Submission> {
    const path = api.path('/api/forms/{}/submissions', formId);
    return new Pager(this.#transport, api.get(path, query, options));
  }

  /** Returns one submission. */
  async get(submissionId: string, options?: RequestOptions): Promise<Submission> {
    const path = api.path('/api/submissions/{}', submissionId);
    return readData(await this.#transport.send(api.get(path, undefined, options)));
  }

  /**
   * Releases a submission from quarantine, which publishes its events, and returns it. A submission
   * that isn't in quarantine is a `ConflictError`.
   */
  async release(submissionId: string, options?: RequestOptions): Promise<Submission> {
    const path = api.path('/api/submissions/{}/release', submissionId);
    return readData(await this.#transport.send(api.act(path, undefined, options)));
  }

  /**
   * Lists the deliveries of a submission to all webhooks, newest first. Scope:
   * `forms:webhooks:manage`.
   */
  deliveries(submissionId: string, options?: RequestOptions): Pager<Delivery> {
    const path = api.path('/api/submissions/{}/deliveries', submissionId);
    return new Pager(this.#transport, api.get(path, undefined, options));
  }

  /** Deletes a submission and erases its values everywhere in the product. */
  async delete(submissionId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(api.path('/api/submissions/{}', submissionId), options));
  }

  /**
   * Exports the submissions of a form as a stream of chunks, so that a large file needs little
   * memory. `format`: `csv` for spreadsheets (the default), or `ndjson` (one JSON object per line)
   * for programs.
   */
  async *export(
    formId: string,
    query: QueryOf<'exportSubmissions'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<Uint8Array, undefined> {
    const path = api.path('/api/forms/{}/submissions/export', formId);
    const contentType = query.format === 'ndjson' ? 'application/x-ndjson' : 'text/csv';
    const response = await this.#transport.open(api.get(path, query, options), contentType);
    try {
      for (let chunk = await response.next(); chunk !== null; chunk = await response.next()) yield chunk;
    } finally {
      response.close();
    }
    return undefined;
  }
}
