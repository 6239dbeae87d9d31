import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { describeCompletion } from './completion-suite.ts';
import { describePolicies } from './policy-suite.ts';
import { openFixture, type HitlFixture } from './fixture.ts';
import { describeReceipts } from './receipts-suite.ts';
import { describeStream } from './stream-suite.ts';
import { describeWebhookFormat } from './webhook-format-suite.ts';

/** The service on any backends. */
export function describeHitl(open: () => StoreAndBus | Promise<StoreAndBus>): void {
  let fixture: HitlFixture | undefined;
  const ready = (): HitlFixture => {
    if (!fixture) throw new Error('the fixture is not open');
    return fixture;
  };

  beforeAll(async () => {
    fixture = await openFixture(await open());
  }, 120_000);

  describeCompletion(ready);
  describe('the receipt of an action', () => describeReceipts(ready));
  describePolicies(ready);
  describe('the event stream', () => describeStream(ready));
  describe('the event stream with webhook bodies', () => describeWebhookFormat(ready));
}
