import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { describeDeliveries } from './delivery-suite.ts';
import { describeErasures } from './erasure-suite.ts';
import { describeFailing } from './failing-suite.ts';
import { describeMails } from './mail-suite.ts';
import { describeRecoveries } from './recovery-suite.ts';
import { describeProcesses } from './process-suite.ts';
import { openStage, type Ground } from './stage.ts';

/** Describes what a dispatcher does, on any pair of engines. */
export function describeDispatcher(open: () => StoreAndBus | Promise<StoreAndBus>): void {
  jest.setTimeout(60_000);
  // Empty only where the engines could not be opened, which then fails every test.
  const on: Partial<Ground> = {};

  beforeAll(async () => void (on.pair = await open()), 120_000);
  beforeEach(async () => {
    if (on.pair) on.stage = await openStage(on.pair);
  });
  afterEach(() => on.stage?.close());

  describeDeliveries(on as Ground);
  describeRecoveries(on as Ground);
  describeFailing(on as Ground);
  describeMails(on as Ground);
  describeProcesses(on as Ground);
  describeErasures(on as Ground);
}
