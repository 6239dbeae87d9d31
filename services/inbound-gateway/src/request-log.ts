import type { DocumentStore } from '@svcforms/document-store';
import type { Logger } from '@svcforms/http-kit';
import {
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  INBOUND_REQUESTS_KEPT,
  INBOUND_REQUESTS_KEPT_DAYS,
  INBOUND_REQUESTS_SHOWN,
  type InboundEndpointRecord,
  type InboundRequest,
  type InboundRequestsRecord,
} from '@svcforms/records';

/** Requests of this time are written together. */
const EVERY_MS = 200;
/** Where the store can't be reached. */
const AGAIN_MS = 5_000;
/** Of so many forms at once; more are a flood of ids that somebody made up. */
const MAX_FORMS = 1_000;
const DAY_MS = 86_400_000;

/**
 * The latest requests of each endpoint. A request only leaves a note here; the notes of a moment are written together, at once
 * where nothing was written lately. A stop writes what is left, a crash loses the notes of a moment.
 */
export function createRequestLog(deps: { store: DocumentStore; log: Logger; now: () => number }) {
  const endpoints = deps.store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS);
  const records = deps.store.collection<InboundRequestsRecord>(INBOUND_REQUESTS);
  let pending = new Map<string, InboundRequest[]>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let nextAt = 0;
  let isStopped = false;

  function schedule(): void {
    if (timer || writing || isStopped || pending.size === 0) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        void write().then(schedule);
      },
      Math.max(0, nextAt - performance.now()),
    );
    timer.unref();
  }

  function write(): Promise<void> {
    writing = writePending().finally(() => (writing = undefined));
    return writing;
  }

  async function writePending(): Promise<void> {
    const batch = pending;
    pending = new Map();
    nextAt = performance.now() + EVERY_MS;
    try {
      const found = await endpoints.find({ formId: { $in: [...batch.keys()] } });
      const expireAt = new Date(deps.now() + INBOUND_REQUESTS_KEPT_DAYS * DAY_MS).toISOString();
      const operations = found.map(({ _id, formId }) => ({
        filter: { _id },
        update: {
          $push: {
            requests: { $each: latest(batch.get(formId) ?? []), $slice: -INBOUND_REQUESTS_KEPT },
          },
          $set: { formId, expireAt },
        },
        upsert: true,
      }));
      if (operations.length > 0) await records.bulkUpdate(operations);
    } catch (error) {
      nextAt = performance.now() + AGAIN_MS;
      deps.log.warn({ event: 'inbound_requests.not_written', err: error }, 'requests could not be noted yet');
      for (const [formId, requests] of batch) {
        pending.set(formId, latest([...requests, ...(pending.get(formId) ?? [])]));
      }
    }
  }

  return {
    /** Costs no round trip. What belongs to no endpoint is dropped when it comes to writing. */
    add(formId: string, request: InboundRequest): void {
      const requests = pending.get(formId);
      if (requests) {
        requests.push(request);
        if (requests.length >= 2 * INBOUND_REQUESTS_SHOWN) pending.set(formId, latest(requests));
      } else if (pending.size < MAX_FORMS) pending.set(formId, [request]);
      schedule();
    },

    /** Writes what is left; the requests have ended. */
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      timer = undefined;
      await writing;
      if (pending.size > 0) await write();
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;

const latest = (requests: readonly InboundRequest[]): InboundRequest[] =>
  requests.slice(-INBOUND_REQUESTS_SHOWN);
