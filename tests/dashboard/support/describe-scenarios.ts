import { describeWith } from '@svcforms/test-kit';
import { startFixture, type Fixture } from './fixture.ts';
import { startWithProvider } from './product.ts';

/**
 * Tests of one area of the dashboard, for the product and the browser that `fixture` returns during
 * a test.
 */
type AddScenarios = (fixture: () => Fixture) => void;

/**
 * Runs the scenarios of a test file in this order, with one product and one browser for all of
 * them.
 */
export function describeScenarios(scenarios: readonly AddScenarios[]): void {
  jest.setTimeout(60_000);
  // Busy machines need a retry, which the summary reports: docs/adr/0016.
  jest.retryTimes(1, { logErrorsBeforeRetry: true });

  describeWith(['chromium'], 'the dashboard in a browser', () => {
    let fixture: Fixture | undefined;

    beforeAll(async () => {
      fixture = await startFixture(await startWithProvider());
    }, 120_000);

    afterEach(() => fixture?.endTest());

    for (const addScenarios of scenarios) {
      addScenarios(() => {
        if (!fixture) throw new Error('the fixture did not start');
        return fixture;
      });
    }
  });
}
