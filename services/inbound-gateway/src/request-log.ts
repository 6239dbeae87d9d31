import { isId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import type { Logger } from '@svcforms/primitives';
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

/** Requests of this time are written together. */
const EVERY_MS = 200;
/** Where the store can't be reached. */
const AGAIN_MS = 5_000;
/** Of so many endpoints and forms at once; more are a flood of ids that somebody made up. */
const MAX_LOGS = 1_000;
/** Whose oldest endpoints are found by one query: each has many slots. */
const FORMS_OF_A_QUERY = 100;
const DAY_MS = 86_400_000;

/** Whose request it was: the endpoint's whose token it showed, or else some request to the form. */
interface Addressee {
  formId: string;
  endpointId: string | null;
}

interface Noted {
  /** Counts up, because times may be equal. */
  order: number;
  request: InboundRequest;
}

interface Pending {
  to: Addressee;
  requests: Noted[];
}

/**
 * The latest requests of each endpoint. What showed no endpoint's token is noted with the form's oldest, so that its owner sees it. A request only leaves a note here; the notes of a moment are written together, at once
 * where nothing was written lately. A stop writes what is left, a crash loses the notes of a moment.
 */
export function createRequestLog(deps: { store: DocumentStore; log: Logger; now: () => number }) {
  const endpoints = deps.store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS);
  const records = deps.store.collection<InboundRequestsRecord>(INBOUND_REQUESTS);
  /** By the id of the endpoint, or else of the form. */
  let pending = new Map<string, Pending>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let nextAt = 0;
  let noted = 0;
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
      const expireAt = new Date(deps.now() + INBOUND_REQUESTS_KEPT_DAYS * DAY_MS).toISOString();
      const operations = (await logsOf([...batch.values()])).map(({ endpoint, requests }) => ({
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
      nextAt = performance.now() + AGAIN_MS;
      deps.log.warn({ event: 'inbound_requests.not_written', err: error }, 'requests could not be noted yet');
      for (const [key, { to, requests }] of batch) {
        pending.set(key, { to, requests: latest([...requests, ...(pending.get(key)?.requests ?? [])]) });
      }
    }
  }

  /** The endpoints that are there, each with its new requests in the order in which they came. */
  async function logsOf(batch: readonly Pending[]) {
    const logs = new Map<string, { endpoint: InboundEndpointRecord; requests: Noted[] }>();
    const note = (endpoint: InboundEndpointRecord | undefined, requests: Noted[]) => {
      if (!endpoint) return;
      const together = [...(logs.get(endpoint._id)?.requests ?? []), ...requests];
      const inOrder = together.toSorted((a, b) => a.order - b.order);
      logs.set(endpoint._id, { endpoint, requests: inOrder });
    };
    const ids = batch.flatMap(({ to }) => to.endpointId ?? []);
    const found = ids.length === 0 ? [] : await endpoints.find({ _id: { $in: ids } });
    const byId = new Map(found.map((endpoint) => [endpoint._id, endpoint]));
    for (const { to, requests } of batch) note(byId.get(to.endpointId ?? ''), requests);

    const toForms = batch.filter(({ to }) => to.endpointId === null);
    for (let from = 0; from < toForms.length; from += FORMS_OF_A_QUERY) {
      const part = toForms.slice(from, from + FORMS_OF_A_QUERY);
      const slots = part.flatMap(({ to }) => inboundSlots(to.formId));
      const oldestFirst = await endpoints.find({ formId: { $in: slots } }, { sort: ['createdAt', '_id'] });
      for (const { to, requests } of part) {
        note(
          oldestFirst.find((endpoint) => formOfEndpoint(endpoint) === to.formId),
          requests,
        );
      }
    }
    return [...logs.values()];
  }

  return {
    /** Costs no round trip. What belongs to no endpoint is dropped when it comes to writing. */
    add(to: Addressee, request: InboundRequest): void {
      if (!isId('frm', to.formId)) return;
      const key = to.endpointId ?? to.formId;
      const requests = pending.get(key)?.requests;
      const note = { order: noted++, request };
      if (requests) {
        requests.push(note);
        if (requests.length >= 2 * INBOUND_REQUESTS_SHOWN)
          pending.set(key, { to, requests: latest(requests) });
      } else if (pending.size < MAX_LOGS) pending.set(key, { to, requests: [note] });
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

const latest = (requests: readonly Noted[]): Noted[] => requests.slice(-INBOUND_REQUESTS_SHOWN);
