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
  QueryOf,
  RequestOptions,
  StatsDay,
} from '../types.ts';

/** `client.forms`. Scopes: `forms:read`, `forms:write`. */
export class Forms {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a form. */
  async create(form: FormInput, options?: CreateOptions): Promise<Form> {
    return readData(await this.#transport.send(api.create('/api/forms', form, options)));
  }

  /** Lists forms, newest first. `q`: only forms whose name contains this text. */
  list(query?: QueryOf<'listForms'>, options?: RequestOptions): Pager<Form> {
    return new Pager(this.#transport, api.get('/api/forms', query, options));
  }

  /** Returns one form. */
  async get(formId: string, options?: RequestOptions): Promise<Form> {
    return readData(await this.#transport.send(api.get(pathOf(formId), undefined, options)));
  }

  /**
   * Replaces a form. Omitted properties get their defaults. Trigger parameters of `settings.popup` are the exception:
   * an omitted one stays, and null removes it. `ifVersion`: replace only this `version` of the form.
   * @throws ConflictError if the form has changed since `ifVersion`.
   */
  async replace(
    formId: string,
    form: FormInput,
    options: RequestOptions & { ifVersion?: number | undefined } = {},
  ): Promise<Form> {
    return readData(await this.#transport.send(api.put(pathOf(formId), form, options)));
  }

  /** Deletes a form with its webhooks, inbound endpoint and submissions, and stops their deliveries. */
  async delete(formId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send(api.remove(pathOf(formId), options));
  }

  /** Creates a copy of a form, optionally with another name. */
  async duplicate(formId: string, body: { name?: string } = {}, options?: CreateOptions): Promise<Form> {
    return readData(await this.#transport.send(api.create(pathOf(formId, '/duplicate'), body, options)));
  }

  /** Exports a form without its ids and times. `import` accepts the result, also on another server. */
  async export(formId: string, options?: RequestOptions): Promise<FormTemplate> {
    return readData(await this.#transport.send(api.get(pathOf(formId, '/export'), undefined, options)));
  }

  /** Creates a form from a template that `export` or `templates` returned. */
  async import(template: FormTemplateInput, options?: CreateOptions): Promise<Form> {
    return readData(await this.#transport.send(api.create('/api/forms/import', template, options)));
  }

  /** Lists the built-in templates for `import`. */
  templates(query?: QueryOf<'listTemplates'>, options?: RequestOptions): Pager<FormTemplate> {
    return new Pager(this.#transport, api.get('/api/templates', query, options));
  }

  /** Returns impressions, conversions, declines and submissions for each day (UTC). */
  async stats(formId: string, query?: QueryOf<'getStats'>, options?: RequestOptions): Promise<StatsDay[]> {
    return readList(await this.#transport.send(api.get(pathOf(formId, '/stats'), query, options)));
  }

  /** Summarizes the submissions of a period by question, page and device. Scope: `submissions:read`. */
  async summary(
    formId: string,
    query?: QueryOf<'getSummary'>,
    options?: RequestOptions,
  ): Promise<FormSummary> {
    return readData(await this.#transport.send(api.get(pathOf(formId, '/summary'), query, options)));
  }

  /**
   * Returns popup statistics for each day (UTC), and the total number of submissions, for at most 100 forms. The
   * result leaves out unknown forms.
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

function pathOf(formId: string, rest = ''): string {
  return api.path(`/api/forms/{}${rest}`, formId);
}
