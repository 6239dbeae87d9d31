import { isId } from '@svcforms/contracts';
import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import { chunksOf, DAY_MS, isoTime, type Clock, type Logger } from '@svcforms/primitives';
import {
  formOfEndpoint,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  INBOUND_REQUESTS_KEPT,
  INBOUND_REQUESTS_KEPT_DAYS,
  INBOUND_REQUESTS_SHOWN,
  inboundSlots,
  type InboundEndpointRecord,
  type InboundRequest,
  type InboundRequestsRecord,
} from '@svcforms/records';

/** Requests are written in batches of this interval, */
const WRITE_INTERVAL_MS = 1_000;
/** or of this one while the store is unavailable. */
const RETRY_INTERVAL_MS = 5_000;
/** The number of endpoints and forms in a batch. More are a flood of invented ids. */
const MAX_LOGS = 1_000;
/** The number of forms whose oldest endpoints one query finds. Each form has many slots. */
const FORMS_PER_QUERY = 100;

/** The target of a request: the endpoint of its token, or just a form. */
interface Target {
  formId: string;
  endpointId: string | null;
}

interface LoggedRequest {
  /** A sequence number, because times can be equal. */
  order: number;
  request: InboundRequest;
}

interface Pending {
  target: Target;
  requests: LoggedRequest[];
}

/**
 * Records the latest requests of each endpoint. A request without a valid token is recorded with
 * the form's oldest endpoint, so that the form's owner sees it. `add` only buffers a request; a
 * batch is written after `WRITE_INTERVAL_MS`, or immediately when nothing was written recently. A
 * stop writes the rest; a crash loses the current batch.
 */
export function createRequestLog(deps: { store: DocumentStore; log: Logger; now: Clock }) {
  const endpoints = deps.store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS);
  const findEndpoint = createCachedFinder(endpoints, '_id');
  const records = deps.store.collection<InboundRequestsRecord>(INBOUND_REQUESTS);
  /** The key is the id of the endpoint, or of the form if the path names no endpoint. */
  let pending = new Map<string, Pending>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let nextAt = 0;
  let nextOrder = 0;
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
    nextAt = performance.now() + WRITE_INTERVAL_MS;
    try {
      const expireAt = isoTime(deps.now() + INBOUND_REQUESTS_KEPT_DAYS * DAY_MS);
      const operations = (await requestsByEndpoint([...batch.values()])).map(({ endpoint, requests }) => ({
        filter: { _id: endpoint._id },
        update: {
          $push: {
            requests: {
              $each: latest(requests).map(({ request }) => request),
              $slice: -INBOUND_REQUESTS_KEPT,
            },
          },
          $set: { formId: formOfEndpoint(endpoint), expireAt },
        },
        upsert: true,
      }));
      if (operations.length > 0) await records.bulkUpdate(operations);
    } catch (error) {
      nextAt = performance.now() + RETRY_INTERVAL_MS;
      deps.log.warn(
        { event: 'inbound_requests.not_written', err: error },
        'writing the request log failed; retrying',
      );
      for (const [key, { target, requests }] of batch) {
        if (pending.size >= MAX_LOGS && !pending.has(key)) continue;
        pending.set(key, { target, requests: latest([...requests, ...(pending.get(key)?.requests ?? [])]) });
      }
    }
  }

  /** Returns the existing endpoints, each with its new requests in order. */
  async function requestsByEndpoint(batch: readonly Pending[]) {
    const logs = new Map<string, { endpoint: InboundEndpointRecord; requests: LoggedRequest[] }>();
    const add = (endpoint: InboundEndpointRecord | null | undefined, requests: LoggedRequest[]) => {
      if (!endpoint) return;
      const merged = [...(logs.get(endpoint._id)?.requests ?? []), ...requests];
      const sorted = merged.toSorted((a, b) => a.order - b.order);
      logs.set(endpoint._id, { endpoint, requests: sorted });
    };
    const ids = batch.flatMap(({ target }) => target.endpointId ?? []);
    const found = await Promise.all(ids.map(findEndpoint));
    const byId = new Map(found.map((endpoint) => [endpoint?._id, endpoint]));
    for (const { target, requests } of batch)
      if (target.endpointId !== null) add(byId.get(target.endpointId), requests);

    const withoutEndpoint = batch.filter(({ target }) => target.endpointId === null);
    for (const part of chunksOf(withoutEndpoint, FORMS_PER_QUERY)) {
      const slots = part.flatMap(({ target }) => inboundSlots(target.formId));
      const oldestFirst = await endpoints.find({ formId: { $in: slots } }, { sort: ['createdAt', '_id'] });
      for (const { target, requests } of part) {
        add(
          oldestFirst.find((endpoint) => formOfEndpoint(endpoint) === target.formId),
          requests,
        );
      }
    }
    return [...logs.values()];
  }

  return {
    /**
     * Adds a request without a round trip. A request to a form without endpoints is dropped when
     * the batch is written.
     */
    add(target: Target, request: InboundRequest): void {
      if (!isId('frm', target.formId)) return;
      const key = target.endpointId ?? target.formId;
      const requests = pending.get(key)?.requests;
      const logged = { order: nextOrder++, request };
      if (requests) {
        requests.push(logged);
        if (requests.length >= 2 * INBOUND_REQUESTS_SHOWN)
          pending.set(key, { target, requests: latest(requests) });
      } else if (pending.size < MAX_LOGS) pending.set(key, { target, requests: [logged] });
      schedule();
    },

    /** Writes the rest. Call it after the last request. */
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

const latest = (requests: readonly LoggedRequest[]): LoggedRequest[] =>
  requests.slice(-INBOUND_REQUESTS_SHOWN);
