import type { BusEvent, EventType } from '@svcforms/contracts';
import { formatPosition, readPosition, type EventBus, type EventBusError } from '@svcforms/event-bus';
import { setTimeout as delay } from 'node:timers/promises';
import { frameOf, type FrameSources } from './frame.ts';

/** What just came is kept for streams that reconnect: they are spared a reading of the log. */
const KEPT_MESSAGES = 2_000;
const KEPT_CHARACTERS = 4 * 1024 * 1024;
/** Without streams the subscription is given up after so long. */
const IDLE_MS = 30_000;
const RETRY_MS = 250;

/** Where a reader is in the log. */
export interface Place {
  epoch: string;
  seq: number;
}

export interface HubMessage {
  event: BusEvent;
  seq: number;
}

export interface Subscriber {
  accountId: string;
  types: ReadonlySet<EventType>;
  /** Messages up to this one it has. */
  place: Place;
  /** The frames that are its affair, in the order of the log. */
  deliver(place: Place, frame: string): void;
  /**
   * It was taken off: the log isn't what it was, or a frame could not be made. It has all up to that place, and has to read on
   * by itself.
   */
  lost(place: Place): void;
}

export interface Hub {
  /** Resolves when the one subscription of this process runs. */
  start(signal: AbortSignal): Promise<void>;
  /** The messages after that place, if the hub has had them all; `null`: they have to be read from the log. */
  since(place: Place): HubMessage[] | null;
  /** Only with a place that has nothing after it (`since` is empty). */
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  /** Forgets the messages that this knows: they were erased. */
  forget(isErased: (event: BusEvent) => boolean): void;
  /** Up to here every subscriber has what is its affair; `null` while the subscription doesn't run. */
  place(): Place | null;
  stop(): void;
}

/** The one subscription of a process, which feeds all of its streams. It runs while there are streams. */
export function createHub(deps: {
  bus: Pick<EventBus, 'position' | 'tail'>;
  sources: FrameSources;
  log: { warn(fields: object, message: string): void };
}): Hub {
  const { bus, sources, log } = deps;
  const byAccount = new Map<string, Set<Subscriber>>();
  let count = 0;
  let running: { place: Place; keptFrom: number; stop: AbortController } | null = null;
  let starting: Promise<void> | null = null;
  let kept: HubMessage[] = [];
  let keptCharacters = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const sizeOf = ({ event }: HubMessage) => (event.body?.length ?? 0) + 256;

  async function begin(): Promise<void> {
    const place = readPosition(await bus.position());
    if (!place || isStopped) return;
    const stop = new AbortController();
    [kept, keptCharacters] = [[], 0];
    running = { place, keptFrom: place.seq, stop };
    void follow(running).catch((error: unknown) => {
      log.warn(
        { event: 'stream.hub_lost', err: error },
        'the subscription to the bus ended; it is made anew',
      );
    });
    waitForIdleness();
  }

  async function follow(self: NonNullable<typeof running>): Promise<void> {
    const { place, stop } = self;
    try {
      const after = formatPosition(place.epoch, place.seq);
      for await (const { event, position } of bus.tail({ after, signal: stop.signal })) {
        const seq = readPosition(position)?.seq ?? place.seq;
        const text = await render({ event, seq }, position);
        place.seq = seq;
        keep({ event, seq }, self);
        for (const subscriber of byAccount.get(event.accountId) ?? []) {
          if (subscriber.place.seq >= seq || !subscriber.types.has(event.type)) continue;
          if (text === undefined) drop(subscriber, { ...place, seq: seq - 1 });
          else if (text !== null) subscriber.deliver({ ...place }, text);
        }
      }
    } finally {
      stop.abort();
      if (running === self) running = null;
      for (const subscribers of byAccount.values()) for (const each of subscribers) drop(each, { ...place });
    }
  }

  /** `null`: there is nothing to show. `undefined`: nobody asked, or it can't be made now. */
  async function render({ event }: HubMessage, position: string): Promise<string | null | undefined> {
    let text: string | null | undefined;
    // Somebody may have come while it was made for others.
    while (text === undefined && isWanted(event)) {
      try {
        text = await frameOf(event, position, sources);
      } catch (error) {
        log.warn(
          { event: 'stream.no_frame', eventId: event.id, err: error },
          'an event can not be shown now',
        );
        return undefined;
      }
    }
    return text;
  }

  function isWanted({ accountId, type }: BusEvent): boolean {
    for (const { types } of byAccount.get(accountId) ?? []) if (types.has(type)) return true;
    return false;
  }

  function keep(message: HubMessage, self: { keptFrom: number }): void {
    kept.push(message);
    keptCharacters += sizeOf(message);
    let dropped = 0;
    while (kept.length - dropped > KEPT_MESSAGES || keptCharacters > KEPT_CHARACTERS) {
      const oldest = kept[dropped];
      if (!oldest) break;
      dropped += 1;
      keptCharacters -= sizeOf(oldest);
      self.keptFrom = oldest.seq;
    }
    // Not one by one: that would move all of them each time.
    if (dropped > 0) kept = kept.slice(dropped);
  }

  function drop(subscriber: Subscriber, place: Place): void {
    remove(subscriber);
    subscriber.lost(place);
  }

  function remove(subscriber: Subscriber): void {
    const others = byAccount.get(subscriber.accountId);
    if (!others?.delete(subscriber)) return;
    count -= 1;
    if (others.size === 0) byAccount.delete(subscriber.accountId);
    waitForIdleness();
  }

  function waitForIdleness(): void {
    clearTimeout(idleTimer);
    if (count > 0 || !running) return;
    idleTimer = setTimeout(() => {
      running?.stop.abort();
      running = null;
      kept = [];
    }, IDLE_MS);
    idleTimer.unref();
  }

  return {
    async start(signal) {
      while (!running && !isStopped && !signal.aborted) {
        starting ??= begin().finally(() => (starting = null));
        try {
          await starting;
        } catch (error) {
          if ((error as EventBusError).code !== 'UNAVAILABLE') throw error;
          await delay(RETRY_MS);
        }
      }
    },
    since({ epoch, seq }) {
      if (!running || running.place.epoch !== epoch || seq < running.keptFrom) return null;
      let first = kept.length;
      while (first > 0 && (kept[first - 1]?.seq ?? 0) > seq) first -= 1;
      return kept.slice(first);
    },
    add(subscriber) {
      const others = byAccount.get(subscriber.accountId);
      if (others) others.add(subscriber);
      else byAccount.set(subscriber.accountId, new Set([subscriber]));
      count += 1;
      clearTimeout(idleTimer);
    },
    remove,
    forget(isErased) {
      const left = kept.filter(({ event }) => !isErased(event));
      if (left.length === kept.length) return;
      kept = left;
      keptCharacters = left.reduce((sum, message) => sum + sizeOf(message), 0);
    },
    place: () => (running ? { ...running.place } : null),
    stop() {
      isStopped = true;
      clearTimeout(idleTimer);
      running?.stop.abort();
    },
  };
}
