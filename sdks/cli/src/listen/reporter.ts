import type { Screen } from '../screen.ts';
import { deliveryIdOf, isSuccess, type ForwardedEvent, type Outcome } from './forward.ts';

export interface Reporter {
  forwarded(event: ForwardedEvent, position: string, outcome: Outcome, isRetry: boolean): void;
  /** The sentence at the end. */
  summary(): string;
}

/** Prints one line for each request, or one line of JSON. */
export function createReporter(screen: Screen, options: { isJson: boolean; listenerId: string }): Reporter {
  const { isJson, listenerId } = options;
  const counts = { delivered: 0, failed: 0 };
  return {
    forwarded(event, position, outcome, isRetry) {
      const { id: eventId, type } = event;
      const { status, error, durationMs } = outcome;
      const isDelivered = isSuccess(outcome);
      counts[isDelivered ? 'delivered' : 'failed'] += 1;
      if (isJson) {
        const { timestamp, formId, submissionId, taskId } = event;
        const deliveryId = deliveryIdOf(eventId, listenerId);
        const ids = { eventId, deliveryId, type, timestamp, formId, submissionId, taskId, position };
        screen.print(JSON.stringify({ ...ids, status, error, durationMs, isRetry }));
        return;
      }
      const time = new Date().toTimeString().slice(0, 8);
      const result = screen.colored(isDelivered ? 'green' : 'red', String(status ?? error).padEnd(4));
      const note = isRetry ? '  retry' : '';
      const parts = [
        screen.colored('dim', time),
        type.padEnd(20),
        eventId,
        result,
        `${durationMs} ms${note}`,
      ];
      screen.print(parts.join('  '));
    },
    summary() {
      const { delivered, failed } = counts;
      const of = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
      return `${of(delivered, 'request')} succeeded, ${failed} failed.`;
    },
  };
}
