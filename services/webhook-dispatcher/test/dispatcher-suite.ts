import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { describeAccountWebhooks } from './account-suite.ts';
import { describeDeliveries } from './delivery-suite.ts';
import { describeErasures } from './erasure-suite.ts';
import { describeFailing } from './failing-suite.ts';
import { describeFilters } from './filter-suite.ts';
import { describeHealth } from './health-suite.ts';
import { describeLoginMails } from './login-mail-suite.ts';
import { describeSlack } from './slack-suite.ts';
import { describeMails } from './mail-suite.ts';
import { describeRecoveries } from './recovery-suite.ts';
import { describeRates } from './rate-suite.ts';
import { describePayloads } from './payload-suite.ts';
import { describeProcesses } from './process-suite.ts';
import { describeRequests } from './request-suite.ts';
import { openFixture, type SuiteContext } from './fixture.ts';

/** The tests of the dispatcher, on any pair of a store and a bus. */
export function describeDispatcher(open: () => StoreAndBus | Promise<StoreAndBus>): void {
  jest.setTimeout(60_000);
  // Empty only if the backends couldn't be opened, which fails every test.
  const on: Partial<SuiteContext> = {};

  beforeAll(async () => void (on.pair = await open()), 120_000);
  beforeEach(async () => {
    if (on.pair) on.fixture = await openFixture(on.pair);
  });
  afterEach(() => on.fixture?.close());

  describeDeliveries(on as SuiteContext);
  describeAccountWebhooks(on as SuiteContext);
  describeFilters(on as SuiteContext);
  describeHealth(on as SuiteContext);
  describeRecoveries(on as SuiteContext);
  describeRequests(on as SuiteContext);
  describeFailing(on as SuiteContext);
  describeMails(on as SuiteContext);
  describe('Slack', () => describeSlack(on as SuiteContext));
  describeLoginMails(on as SuiteContext);
  describeRates(on as SuiteContext);
  describePayloads(on as SuiteContext);
  describeProcesses(on as SuiteContext);
  describeErasures(on as SuiteContext);
}
