import http from 'k6/http';
import { sleep } from 'k6';
import { Rate, Trend } from 'k6/metrics';
import { SINK_URL } from './product.ts';

/** From sending a submission to the arrival of its webhook. */
const delivery = new Trend('delivery_ms', true);
/** The share of submissions that the product counts whose webhook arrived. */
const delivered = new Rate('delivered');
/** The time from the decision of a task to its frame on a stream. */
const frame = new Trend('frame_ms', true);
/** The share of due frames, on all streams, that arrived. */
const framed = new Rate('framed');

interface Arrivals {
  count: number;
  latenciesMs: number[];
}

function read(path: string): Arrivals {
  return http.get(SINK_URL + path, { tags: { name: 'sink' } }).json() as unknown as Arrivals;
}

/** Waits until all due arrivals are there, or until none arrives for ten seconds. */
function waitForArrivals(path: string, due: number): Arrivals {
  let arrivals = read(path);
  for (let quiet = 0; arrivals.count < due && quiet < 40; quiet++) {
    sleep(0.25);
    const next = read(path);
    if (next.count > arrivals.count) quiet = 0;
    arrivals = next;
  }
  return arrivals;
}

/** Adds the sink's measurements of a form's webhook to the metrics of this run. */
export function takeDeliveries(mark: string, accepted: number): void {
  const { count, latenciesMs } = waitForArrivals(`/hook/${mark}`, accepted);
  for (const latency of latenciesMs) delivery.add(latency);
  for (let i = 0; i < accepted; i++) delivered.add(i < count);
}

/**
 * Adds the sink's measurements of its streams to the metrics, and closes the streams: an account
 * may have no more than one script opens.
 */
export function takeFrames(mark: string, due: number): void {
  const { count, latenciesMs } = waitForArrivals(`/streams/${mark}`, due);
  for (const latency of latenciesMs) frame.add(latency);
  for (let i = 0; i < due; i++) framed.add(i < count);
  http.del(`${SINK_URL}/streams/${mark}`, null, { tags: { name: 'sink' } });
}
