import http from 'k6/http';
import { sleep } from 'k6';
import { Rate, Trend } from 'k6/metrics';
import { SINK_URL } from './product.ts';

/** From the moment of sending to the arrival at the endpoint. */
const delivery = new Trend('delivery_ms', true);
/** Accepted submissions that reached the endpoint. */
const delivered = new Rate('delivered');
/** From a task's decision to the frame on a stream. */
const frame = new Trend('frame_ms', true);
/** Frames that were due on all streams, and came. */
const framed = new Rate('framed');

interface Arrivals {
  count: number;
  latenciesMs: number[];
}

function read(path: string): Arrivals {
  return http.get(SINK_URL + path, { tags: { name: 'sink' } }).json() as unknown as Arrivals;
}

/** Waits until as many came as were due, or none came for ten seconds. */
function settle(path: string, due: number): Arrivals {
  let arrivals = read(path);
  for (let quiet = 0; arrivals.count < due && quiet < 40; quiet++) {
    sleep(0.25);
    const next = read(path);
    if (next.count > arrivals.count) quiet = 0;
    arrivals = next;
  }
  return arrivals;
}

/** Takes what the sink measured of a form's webhook into this run's metrics. */
export function takeDeliveries(mark: string, accepted: number): void {
  const { count, latenciesMs } = settle(`/hook/${mark}`, accepted);
  for (const latency of latenciesMs) delivery.add(latency);
  for (let i = 0; i < accepted; i++) delivered.add(i < count);
}

/** Takes what the sink measured on its streams, and has it close them: an account may have no more than one script opens. */
export function takeFrames(mark: string, due: number): void {
  const { count, latenciesMs } = settle(`/streams/${mark}`, due);
  for (const latency of latenciesMs) frame.add(latency);
  for (let i = 0; i < due; i++) framed.add(i < count);
  http.del(`${SINK_URL}/streams/${mark}`, null, { tags: { name: 'sink' } });
}
