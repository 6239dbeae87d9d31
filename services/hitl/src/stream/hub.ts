import { maySeeForm, type BusEvent } from '@svcforms/contracts';
import { formatPosition, readPosition, type EventBus, type EventBusError } from '@svcforms/event-bus';
import { pause, type Logger } from '@svcforms/primitives';
import type { FormRecord } from '@svcforms/records';
import { frameOf, type FrameFormat, type FrameSources } from './frame.ts';
import { RecentMessages, type StreamMessage } from './recent-messages.ts';
import { Subscribers, type Offset, type Subscriber } from './subscribers.ts';

/** The subscription ends after this time without streams. */
const IDLE_MS = 30_000;
const RETRY_MS = 250;

export interface Hub {
  /** Resolves when the process's subscription runs. */
  start(signal: AbortSignal): Promise<void>;
  /** Returns the messages after an offset; `null` when they must be read from the log. */
  since(offset: Offset): StreamMessage[] | null;
  /** Adds a subscriber that has every message: `since(subscriber.offset)` is empty. */
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  /** Removes messages that were erased from memory. */
  forget(isErased: (event: BusEvent) => boolean): void;
  /**
   * The offset up to which all subscribers have their messages; `null` while the subscription
   * doesn't run.
   */
  offset(): Offset | null;
  stop(): void;
}

interface Subscription {
  offset: Offset;
  recent: RecentMessages;
  stop: AbortController;
}

/**
 * The one subscription of a process, which feeds all its streams and runs while there are streams.
 * ADR 0010
 */
export function createHub(deps: {
  bus: Pick<EventBus, 'position' | 'tail'>;
  sources: FrameSources;
  log: Pick<Logger, 'warn'>;
}): Hub {
  const { bus, sources, log } = deps;
  const subscribers = new Subscribers();
  const render = createRender(subscribers, { sources, log });
  let running: Subscription | null = null;
  let starting: Promise<void> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function subscribe(): Promise<void> {
    const offset = readPosition(await bus.position());
    if (!offset || isStopped) return;
    running = { offset, recent: new RecentMessages(offset.seq), stop: new AbortController() };
    void follow(running).catch((error: unknown) => {
      log.warn(
        { event: 'stream.hub_lost', err: error },
        'the subscription to the bus ended; streams continue from the log',
      );
    });
    stopWhenIdle();
  }

  async function follow(subscription: Subscription): Promise<void> {
    const { offset, recent, stop } = subscription;
    try {
      const after = formatPosition(offset.epoch, offset.seq);
      for await (const { event, position } of bus.tail({ after, signal: stop.signal })) {
        const seq = readPosition(position)?.seq ?? offset.seq;
        const before = { ...offset };
        const texts = {
          event: await render(event, position, 'event'),
          webhook: await render(event, position, 'webhook'),
        };
        const form = await formOf(event);
        offset.seq = seq;
        recent.add({ event, seq });
        for (const subscriber of subscribers.ofAccount(event.accountId)) {
          if (subscriber.offset.seq >= seq || !subscriber.types.has(event.type)) continue;
          const text = texts[subscriber.format];
          // A limited subscriber that was added meanwhile reads the event from the log.
          const isUnknown = text === undefined || (subscriber.memberOf && form === undefined);
          if (isUnknown) detach(subscriber, before);
          else if (form !== undefined && !maySeeForm(subscriber, form)) continue;
          else if (text != null) subscriber.deliver({ ...offset }, text);
        }
      }
    } finally {
      stop.abort();
      if (running === subscription) running = null;
      for (const each of subscribers.all()) detach(each, { ...offset });
    }
  }

  /**
   * The form of an event, if a subscriber sees only some forms; `undefined` if it can't be read.
   */
  async function formOf(event: BusEvent): Promise<FormRecord | null | undefined> {
    if (!subscribers.areLimited(event)) return undefined;
    return sources.findForm(event.formId).catch(() => undefined);
  }

  function detach(subscriber: Subscriber, offset: Offset): void {
    remove(subscriber);
    subscriber.detached(offset);
  }

  function remove(subscriber: Subscriber): void {
    if (!subscribers.remove(subscriber)) return;
    stopWhenIdle();
  }

  function stopWhenIdle(): void {
    clearTimeout(idleTimer);
    if (subscribers.count > 0 || !running) return;
    idleTimer = setTimeout(() => {
      running?.stop.abort();
      running = null;
    }, IDLE_MS);
    idleTimer.unref();
  }

  return {
    async start(signal) {
      while (!running && !isStopped && !signal.aborted) {
        starting ??= subscribe().finally(() => (starting = null));
        try {
          await starting;
        } catch (error) {
          if ((error as EventBusError).code !== 'UNAVAILABLE') throw error;
          await pause(RETRY_MS);
        }
      }
    },
    since({ epoch, seq }) {
      return running?.offset.epoch === epoch ? running.recent.after(seq) : null;
    },
    add(subscriber) {
      subscribers.add(subscriber);
      clearTimeout(idleTimer);
    },
    remove,
    forget: (isErased) => running?.recent.remove(isErased),
    offset: () => (running ? { ...running.offset } : null),
    stop() {
      isStopped = true;
      clearTimeout(idleTimer);
      running?.stop.abort();
    },
  };
}

/** Renders an event in a format, if a subscriber wants it. */
function createRender(
  subscribers: Pick<Subscribers, 'want'>,
  { sources, log }: { sources: FrameSources; log: Pick<Logger, 'warn'> },
) {
  /**
   * `null`: the event has nothing to show. `undefined`: no subscriber wants it, or rendering
   * failed.
   */
  return async function render(
    event: BusEvent,
    position: string,
    format: FrameFormat,
  ): Promise<string | null | undefined> {
    let text: string | null | undefined;
    // A subscriber may be added between the check and the end of the rendering.
    while (text === undefined && subscribers.want(event, format)) {
      try {
        text = await frameOf(event, position, format, sources);
      } catch (error) {
        log.warn(
          { event: 'stream.no_frame', eventId: event.id, err: error },
          'rendering an event failed; its streams continue from the log',
        );
        return undefined;
      }
    }
    return text;
  };
}
