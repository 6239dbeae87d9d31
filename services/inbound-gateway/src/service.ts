import { createCachedFinder, createCachedGroupFinder, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createIdempotency, type Service } from '@svcforms/http';
import type { InsertWithEvents } from '@svcforms/outbox';
import { outboxAge } from '@svcforms/runtime';
import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import {
  createSeats,
  createSubmissionOutbox,
  FORMS,
  INBOUND_ENDPOINTS,
  type FormRecord,
  type InboundEndpointRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import type { Clock, Logger, Tracing } from '@svcforms/primitives';
import { createRequestLog } from './request-log.ts';
import { routes } from './routes.ts';

export interface InboundGatewayDeps {
  store: DocumentStore;
  bus: EventBus;
  secretBox: SecretBox;
  /** Present when store and bus share a database. */
  insertWithEvents?: InsertWithEvents | undefined;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Logger;
  now?: Clock;
}

/** Accepts submissions from other systems. */
export function createInboundGateway(deps: InboundGatewayDeps): Service {
  const { store, secretBox, now = Date.now } = deps;
  const sink = createSubmissionOutbox(deps);
  const requestLog = createRequestLog({ store, log: deps.log, now });
  return {
    routes: routes({
      findForm: createCachedFinder(store.collection<FormRecord>(FORMS), '_id'),
      findEndpoints: createCachedGroupFinder(
        store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS),
        'tokenHash',
      ),
      findAccount: createCachedFinder(store.collection<AccountRecord>(ACCOUNTS), '_id'),
      secretBox,
      seats: createSeats({ submissions: sink.submissions, now }),
      runOnce: createIdempotency({ store, now }),
      requestLog,
      now,
      ...sink,
    }),
    metrics: [outboxAge('submissions', sink.outbox)],
    async start() {
      sink.outbox.start();
    },
    async stop() {
      await Promise.all([requestLog.stop(), sink.outbox.stop()]);
    },
  };
}
