import { describeWith } from '@svcforms/test-kit';
import { DASHBOARD_SCENARIOS } from './dashboard-scenarios.ts';
import { startFixture, type Fixture } from './support/fixture.ts';
import { startWithProvider } from './support/product.ts';

jest.setTimeout(60_000);
// Busy machines need a retry, which the summary reports: docs/adr/0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

describeWith(['chromium'], 'the dashboard in a browser', () => {
  let fixture: Fixture | undefined;

  beforeAll(async () => {
    fixture = await startFixture(await startWithProvider());
  }, 120_000);

  afterEach(() => fixture?.endTest());

  for (const addScenarios of DASHBOARD_SCENARIOS) {
    addScenarios(() => {
      if (!fixture) throw new Error('the fixture did not start');
      return fixture;
    });
  }
});
