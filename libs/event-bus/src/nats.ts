import { openBroadcasts } from './nats/broadcasts.ts';
import { REQUEST_TIMEOUT_MS } from './nats/connection.ts';
import { busErrorFrom } from './nats/errors.ts';
import { lagOf } from './nats/durable.ts';
import { eraseEvents } from './nats/erase.ts';
import { createTrim, hasEventAfter, idsSince, lowestAckFloor } from './nats/history.ts';
import { openLateBus } from './nats/late-bus.ts';
import { openLink, type LinkOptions } from './nats/link.ts';
import { startConsumer } from './nats/consume.ts';
import { createPublisher } from './nats/publisher.ts';
import { createPublishing } from './nats/publish.ts';
import { createSharedValues } from './nats/shared-values.ts';
import { serverTime } from './nats/stream.ts';
import { tailStream } from './nats/tail.ts';
import { SILENT, type BusLog, type Consumption, type EventBus } from './port/port.ts';
import { formatPosition } from './port/position.ts';

export interface NatsBusOptions extends Omit<LinkOptions, 'log'> {
  /**
   * `nats://host:4222`, or a comma-separated list of them; `tls://` requires TLS. May contain a
   * user and password, or a token, for all servers.
   */
  url: string;
  /** The name in the server's list of connections. */
  name: string;
  log?: BusLog;
}

/**
 * The event bus on NATS JetStream (server 2.11 or later). Once connected, it reconnects forever.
 * During an outage, `publish` rejects, and consumers and tails wait.
 * @throws EventBusError `UNAVAILABLE` (no NATS server with JetStream responds), `DENIED` (wrong
 * credentials), `FULL` (it has no room for the stream), `UNSUPPORTED` (a file or the number of
 * replicas)
 */
export async function connectNatsBus({ log = SILENT, ...options }: NatsBusOptions): Promise<EventBus> {
  const link = await openLink({ ...options, log });
  const publisher = createPublisher(link.nc, {
    timeoutMs: REQUEST_TIMEOUT_MS,
    inboxPrefix: link.inboxPrefix,
  });
  const trim = createTrim(link, log);
  const consumptions = new Set<Consumption>();
  const closing = new AbortController();
  const broadcasts = await openBroadcasts(link, closing.signal).catch(async (error: unknown) => {
    await link.close();
    throw busErrorFrom(error, "can't listen to broadcasts");
  });

  return {
    ...createPublishing(link, publisher),
    async consume(durable, consumeOptions, handler) {
      const running = await startConsumer(link, { durable, handler, ...consumeOptions }, log);
      const consumption: Consumption = {
        async stop() {
          await running.stop();
          consumptions.delete(consumption);
        },
      };
      consumptions.add(consumption);
      return consumption;
    },
    tail({ after, signal }) {
      return tailStream(link, { after, signal: AbortSignal.any([signal, closing.signal]) }, log);
    },
    async publishedSince(accountId, since) {
      try {
        return await link.whileUp(() => idsSince(link, accountId, since));
      } catch (error) {
        throw busErrorFrom(error, `can't read the events of ${accountId}`);
      }
    },
    async position() {
      const { epoch, last } = await link.bounds();
      return formatPosition(epoch, last);
    },
    async hasEventAfter(position) {
      try {
        return await link.whileUp(() => hasEventAfter(link, position));
      } catch (error) {
        throw busErrorFrom(error, `can't read the events after ${position}`);
      }
    },
    async lag(durable) {
      try {
        return await link.whileUp(() => lagOf(link, durable));
      } catch (error) {
        throw busErrorFrom(error, `can't read the lag of ${durable}`);
      }
    },
    async oldest() {
      const { epoch, first } = await link.bounds();
      return formatPosition(epoch, first - 1);
    },
    async unread() {
      const { epoch, first } = await link.bounds();
      try {
        const read = await link.whileUp(() => lowestAckFloor(link));
        return formatPosition(epoch, Math.max(read, first - 1));
      } catch (error) {
        throw busErrorFrom(error, "can't read the acknowledgements");
      }
    },
    async trim(limits) {
      try {
        await link.whileUp(() => trim(limits));
      } catch (error) {
        throw busErrorFrom(error, "can't trim the stream");
      }
    },
    async erase(accountId, which) {
      try {
        return await link.whileUp(() => eraseEvents(link, accountId, which));
      } catch (error) {
        throw busErrorFrom(error, `can't erase the events of ${accountId}`);
      }
    },
    async broadcast(message) {
      try {
        await broadcasts.send(message);
      } catch (error) {
        throw busErrorFrom(error, 'the broadcast may not have been sent');
      }
    },
    listen: (listener) => broadcasts.listen(listener),
    async serverTime() {
      try {
        return await link.whileUp(() => serverTime(link.jsm));
      } catch (error) {
        throw busErrorFrom(error, "can't read the clock of the server");
      }
    },
    sharedValues: createSharedValues(link, { publisher, replicas: options.replicas }),
    async ping() {
      await link.bounds();
    },
    async close() {
      closing.abort();
      await Promise.all([...consumptions].map((consumption) => consumption.stop()));
      await link.close();
    },
  };
}

/**
 * The same for processes that also have work without the bus: if no server responds within 5 s,
 * returns a bus that connects in the background. Until then, consumers wait, and every other call
 * rejects as in an outage.
 * @throws EventBusError `DENIED`, `FULL`, `UNSUPPORTED` (a server responds and refuses)
 */
export function startNatsBus(options: NatsBusOptions): Promise<EventBus> {
  return openLateBus(() => connectNatsBus(options), options.log ?? SILENT);
}

export { checkNatsFiles } from './nats/credentials.ts';
