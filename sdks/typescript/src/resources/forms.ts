import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import { readData, readList } from '../http/responses.ts';
import type { Transport } from '../http/transport.ts';
import type {
  CreateOptions,
  Form,
  FormInput,
  FormStats,
  FormSummary,
  FormTemplate,
  FormTemplateInput,
  FormVersion,
  FormVersionDetail,
  QueryOf,
  RequestOptions,
  StatsDay,
} from '../types.ts';

/** `client.forms`. Scopes: `forms:read`, `forms:write`; `forms:draft` for drafts only. */
export class Forms {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a form and publishes it. `draft`: create a draft, which nobody sees until `publish`.
   */
  async create(
    form: FormInput,
    { draft, ...options }: CreateOptions & { draft?: boolean | undefined } = {},
  ): Promise<Form> {
    return readData(await this.#transport.send(api.create(`/api/forms${queryOf(draft)}`, form, options)));
  }

  /** Lists forms, newest first. `q`: only forms whose name contains this text. */
  list(query?: QueryOf<'listForms'>, options?: RequestOptions): Pager<Form> {
    return new Pager(this.#transport, api.get('/api/forms', query, options));
  }

  /** Returns one form. `draft`: its draft, or the published form if there is none. */
  async get(
    formId: string,
    { draft, ...options }: RequestOptions & { draft?: boolean | undefined } = {},
  ): Promise<Form> {
    return readData(await this.#transport.send(api.get(pathOf(formId, queryOf(draft)), undefined, options)));
  }

  /**
   * Replaces a form and publishes that as its next version. Omitted properties get their defaults.
   * Trigger parameters of `settings.popup` are the exception: an omitted one stays, and null
   * removes it. `draft`: save a draft instead, which nobody sees until `publish`. `ifVersion`:
   * replace only this `version` of the form; one that was never published needs `ifMatch`.
   * `ifMatch`: replace only the draft with this `draft.etag`.
   * @throws ConflictError if the form or its draft has changed since.
   */
  async replace(
    formId: string,
    form: FormInput,
    {
      draft,
      ...options
    }: RequestOptions & {
      draft?: boolean | undefined;
      ifVersion?: number | undefined;
      ifMatch?: string | undefined;
    } = {},
  ): Promise<Form> {
    return readData(await this.#transport.send(api.put(pathOf(formId, queryOf(draft)), form, options)));
  }

  /**
   * Publishes the draft of a form as its next version. `ifMatch`: only the draft with this
   * `draft.etag`.
   * @throws ConflictError if there is no draft, or it has another ETag.
   */
  async publish(formId: string, options?: CreateOptions & { ifMatch?: string | undefined }): Promise<Form> {
    return readData(await this.#transport.send(api.create(pathOf(formId, '/publish'), undefined, options)));
  }

  /**
   * Discards the draft of a form. The published form stays. `ifMatch`: discard only the draft with
   * this `draft.etag`.
   * @throws ConflictError if the draft has another ETag.
   */
  async discardDraft(
    formId: string,
    options?: RequestOptions & { ifMatch?: string | undefined },
  ): Promise<void> {
    // The server refuses the ETag after the first attempt.
    const isRetryable = options?.ifMatch === undefined;
    await this.#transport.send({ ...api.remove(pathOf(formId, '/draft'), options), isRetryable });
  }

  /**
   * Lists the published versions of a form, newest first: the current one, and the last 100 that it
   * replaced.
   */
  versions(
    formId: string,
    query?: QueryOf<'listFormVersions'>,
    options?: RequestOptions,
  ): Pager<FormVersion> {
    return new Pager(this.#transport, api.get(pathOf(formId, '/versions'), query, options));
  }

  /** Returns a published version with its content. */
  async version(formId: string, version: number, options?: RequestOptions): Promise<FormVersionDetail> {
    return readData(
      await this.#transport.send(api.get(pathOf(formId, `/versions/${version}`), undefined, options)),
    );
  }

  /**
   * Makes a published version the draft; `publish` then goes back to it. `ifMatch`: replace only
   * the draft with this `draft.etag`.
   */
  async restore(
    formId: string,
    version: number,
    options?: CreateOptions & { ifMatch?: string | undefined },
  ): Promise<Form> {
    const path = pathOf(formId, `/versions/${version}/restore`);
    return readData(await this.#transport.send(api.create(path, undefined, options)));
  }

  /**
   * Deletes a form with its webhooks, inbound endpoints, submissions, tasks and deliveries.
   * `ifMatch`: only if the form still has this ETag.
   * @throws ConflictError if the form has another ETag.
   */
  async delete(formId: string, options?: RequestOptions & { ifMatch?: string | undefined }): Promise<void> {
    await this.#transport.send(api.remove(pathOf(formId), options));
  }

  /**
   * Creates a copy of a form, optionally with another name, and publishes it. `draft`: create a
   * draft.
   */
  async duplicate(
    formId: string,
    body: { name?: string } = {},
    { draft, ...options }: CreateOptions & { draft?: boolean | undefined } = {},
  ): Promise<Form> {
    const path = pathOf(formId, `/duplicate${queryOf(draft)}`);
    return readData(await this.#transport.send(api.create(path, body, options)));
  }

  /**
   * Exports a form without its ids and times. `import` accepts the result, even on another server.
   */
  async export(formId: string, options?: RequestOptions): Promise<FormTemplate> {
    return readData(await this.#transport.send(api.get(pathOf(formId, '/export'), undefined, options)));
  }

  /**
   * Creates a form from a template that `export` or `templates` returned, and publishes it.
   * `draft`: create a draft.
   */
  async import(
    template: FormTemplateInput,
    { draft, ...options }: CreateOptions & { draft?: boolean | undefined } = {},
  ): Promise<Form> {
    return readData(
      await this.#transport.send(api.create(`/api/forms/import${queryOf(draft)}`, template, options)),
    );
  }

  /** Lists the built-in templates for `import`. */
  templates(query?: QueryOf<'listTemplates'>, options?: RequestOptions): Pager<FormTemplate> {
    return new Pager(this.#transport, api.get('/api/templates', query, options));
  }

  /** Returns impressions, conversions, declines and submissions for each day (UTC). */
  async stats(formId: string, query?: QueryOf<'getStats'>, options?: RequestOptions): Promise<StatsDay[]> {
    return readList(await this.#transport.send(api.get(pathOf(formId, '/stats'), query, options)));
  }

  /**
   * Summarizes the submissions of a period by question, page and device. Scope: `submissions:read`.
   */
  async summary(
    formId: string,
    query?: QueryOf<'getSummary'>,
    options?: RequestOptions,
  ): Promise<FormSummary> {
    return readData(await this.#transport.send(api.get(pathOf(formId, '/summary'), query, options)));
  }

  /**
   * Returns popup statistics for each day (UTC), and the total number of submissions, for at most
   * 100 forms. The result leaves out unknown forms.
   */
  async statsOf(
    formIds: readonly string[],
    query: Omit<QueryOf<'getStatsOfForms'>, 'formIds'> = {},
    options?: RequestOptions,
  ): Promise<FormStats[]> {
    const request = api.get('/api/stats', { formIds: formIds.join(','), ...query }, options);
    return readList(await this.#transport.send(request));
  }
}

const queryOf = (draft: boolean | undefined): string => (draft ? '?draft=true' : '');

function pathOf(formId: string, rest = ''): string {
  return api.path(`/api/forms/{}${rest}`, formId);
}
