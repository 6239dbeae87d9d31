import { Pager } from '../http/pager.ts';
import * as api from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { AuditEntry, QueryOf, RequestOptions } from '../types.ts';

/** `client.auditLog`. Scope: `audit:read`. */
export class AuditLog {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists changes and logins, newest first. */
  list(query?: QueryOf<'listAuditLog'>, options?: RequestOptions): Pager<AuditEntry> {
    return new Pager(this.#transport, api.get('/api/audit-log', query, options));
  }
}
