import type { BusEvent } from '@svcforms/contracts';
import type { EventBus } from '../port/port.ts';
import { formatPosition } from '../port/position.ts';
import { busErrorFrom, isNoResponders } from './errors.ts';
import type { Link } from './link.ts';
import { encodeEvent, encodePair } from './message.ts';
import { createPairsCheck } from './pairs.ts';
import type { Publisher } from './publisher.ts';

/**
 * Publishes events: two of one document as one message, if all consumers can read that. ADR 0049
 */
export function createPublishing(
  link: Link,
  publisher: Publisher,
): Pick<EventBus, 'publish' | 'publishTogether'> {
  const arePairsRead = createPairsCheck(link);

  async function publish(event: BusEvent, message = encodeEvent(event)) {
    const { subject, headers, payload } = message;
    const send = async () => {
      const { epoch } = link.needSession();
      const seq = await link.whileUp(() => publisher.publish(subject, payload, headers));
      return formatPosition(epoch, seq);
    };
    try {
      return await send().catch(async (error: unknown) => {
        if (!isNoResponders(error)) throw error;
        // The stream is gone. Reading its bounds recreates it.
        await link.bounds();
        return await send();
      });
    } catch (error) {
      throw busErrorFrom(error, `${event.id} was not stored`);
    }
  }

  async function canPairsBeRead({ id }: BusEvent): Promise<boolean> {
    try {
      return await arePairsRead();
    } catch (error) {
      throw busErrorFrom(error, `${id} was not stored`);
    }
  }

  async function publishTogether(events: readonly BusEvent[]): Promise<void> {
    const [first, second, ...others] = events;
    const pair = first && second && others.length === 0 ? encodePair(first, second) : null;
    if (first && pair && (await canPairsBeRead(first))) await publish(first, pair);
    else await Promise.all(events.map((event) => publish(event)));
  }

  return { publish: (event) => publish(event), publishTogether };
}
