import { setTimeout as pause } from 'node:timers/promises';
import {
  startWebhookEndpoint as startHttpEndpoint,
  type EndpointResponse,
  type ReceivedRequest,
} from '@svcforms/test-kit';

/** A received request with its ids. */
interface Received extends ReceivedRequest {
  eventId: string;
  deliveryId: string;
}

type Response = Exclude<EndpointResponse, 'reset' | 'hang'>;

export interface WebhookEndpoint {
  url(path: string): string;
  /** The requests in the order of arrival, all or those to one path. */
  received(path?: string): Received[];
  /** Sets how it responds from now on. `hang` waits for `release`. */
  respond(decide: (request: Received) => Exclude<EndpointResponse, 'reset'>): void;
  /** Responds to the requests that hang, by default 200. */
  release(response?: Response): void;
  /** How many requests hang now. */
  hanging(): number;
  /** The ids of deliveries that were sent twice at once. */
  overlaps(): string[];
  close(): Promise<void>;
}

/** Long enough for overlapping attempts to be noticed. */
const RESPONSE_AFTER_MS = 2;

/** Starts an HTTP endpoint on loopback. By default it responds 200. */
export async function startWebhookEndpoint(): Promise<WebhookEndpoint> {
  const all: Received[] = [];
  const busy = new Set<string>();
  const overlapping: string[] = [];
  let releases: ((response: Response) => void)[] = [];
  let decide: Parameters<WebhookEndpoint['respond']>[0] = () => ({});

  const http = await startHttpEndpoint({
    async respond(request) {
      const { headers } = request;
      const deliveryId = String(headers['svc-delivery-id']);
      const received = { ...request, deliveryId, eventId: String(headers['svc-event-id']) };
      all.push(received);
      if (busy.has(deliveryId)) overlapping.push(deliveryId);
      busy.add(deliveryId);
      const decided = decide(received);
      if (decided !== 'hang') await pause(RESPONSE_AFTER_MS);
      const response =
        decided === 'hang' ? await new Promise<Response>((resolve) => releases.push(resolve)) : decided;
      busy.delete(deliveryId);
      return response;
    },
  });

  return {
    url: (path) => http.url + path,
    received: (path) => all.filter((request) => path === undefined || request.path === path),
    respond: (next) => (decide = next),
    release(response = {}) {
      for (const release of releases) release(response);
      releases = [];
    },
    hanging: () => releases.length,
    overlaps: () => overlapping,
    close: () => http.close(),
  };
}
