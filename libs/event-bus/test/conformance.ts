import { describeBroadcast } from './conformance/broadcast.ts';
import { describeConsume } from './conformance/consume.ts';
import type { BusContext } from './conformance/context.ts';
import { describeErase } from './conformance/erase.ts';
import { describeLag } from './conformance/lag.ts';
import { describePublish } from './conformance/publish.ts';
import { describePublishTogether } from './conformance/publish-together.ts';
import { describeTail } from './conformance/tail.ts';
import { describeTrim } from './conformance/trim.ts';
import { describeUnread } from './conformance/unread.ts';
import type { EventBus } from '../src/port/port.ts';

const TIMEOUT_MS = 60_000;

/**
 * The specification of every adapter: each sentence of the port as a test.
 * @param newLog Called once per test. Creates an empty log and returns a function that opens a bus
 * on it.
 */
export function describeEventBus(title: string, newLog: () => Promise<() => Promise<EventBus>>): void {
  describe(title, () => {
    jest.setTimeout(TIMEOUT_MS);
    let openBus: () => Promise<EventBus>;
    let opened: EventBus[] = [];
    const context: BusContext = {
      async open() {
        const bus = await openBus();
        opened.push(bus);
        return bus;
      },
    };
    beforeEach(async () => {
      openBus = await newLog();
    });
    afterEach(async () => {
      await Promise.all(opened.map((bus) => bus.close()));
      opened = [];
    });

    describePublish(context);
    describePublishTogether(context);
    describeConsume(context);
    describeTail(context);
    describeLag(context);
    describeTrim(context);
    describeUnread(context);
    describeErase(context);
    describeBroadcast(context);
  });
}
