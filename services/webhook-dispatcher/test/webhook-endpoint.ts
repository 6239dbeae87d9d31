import { setTimeout as pause } from 'node:timers/promises';
import {
  startWebhookEndpoint as startHttpListener,
  type EndpointResponse,
  type ReceivedRequest,
} from '@svcforms/test-kit';

/** What a endpoint got, with the ids that name it. */
export interface Received extends ReceivedRequest {
  eventId: string;
  deliveryId: string;
}

export interface WebhookEndpoint {
  url(path: string): string;
  /** In the order of arrival; those to one path, or all. */
  received(path?: string): Received[];
  /** What it answers from now on. What hangs does so until `release`. */
  answer(decide: (request: Received) => Exclude<EndpointResponse, 'reset'>): void;
  /** Answers 200 to those that hang. */
  release(): void;
  /** How many requests hang now. */
  hanging(): number;
  /** Deliveries that came while the same delivery was being answered. */
  overlaps(): string[];
  close(): Promise<void>;
}

/** Long enough for a second attempt at the same time to show. */
const ANSWER_AFTER_MS = 2;

/** A real HTTP endpoint on loopback; it answers 200 unless told otherwise. */
export async function startWebhookEndpoint(): Promise<WebhookEndpoint> {
  const all: Received[] = [];
  const busy = new Set<string>();
  const overlapping: string[] = [];
  let releases: (() => void)[] = [];
  let decide: Parameters<WebhookEndpoint['answer']>[0] = () => ({});

  const http = await startHttpListener({
    async respond(request) {
      const { headers } = request;
      const deliveryId = String(headers['svc-delivery-id']);
      const received = { ...request, deliveryId, eventId: String(headers['svc-event-id']) };
      all.push(received);
      if (busy.has(deliveryId)) overlapping.push(deliveryId);
      busy.add(deliveryId);
      const answer = decide(received);
      if (answer === 'hang') await new Promise<void>((resolve) => releases.push(resolve));
      else await pause(ANSWER_AFTER_MS);
      busy.delete(deliveryId);
      return answer === 'hang' ? {} : answer;
    },
  });

  return {
    url: (path) => http.url + path,
    received: (path) => all.filter((request) => path === undefined || request.path === path),
    answer: (next) => (decide = next),
    release() {
      for (const release of releases) release();
      releases = [];
    },
    hanging: () => releases.length,
    overlaps: () => overlapping,
    close: () => http.close(),
  };
}
