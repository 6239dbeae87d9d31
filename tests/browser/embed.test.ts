import { describeWith } from '@svcforms/test-kit';
import { productOf, startStandalone, type Product } from '../e2e/stack.ts';
import { openFixture, type Fixture } from './fixture.ts';
import { EMBED_SCENARIOS, needWholeChromium } from './scenarios/embed-scenarios.ts';

jest.setTimeout(60_000);
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

describeWith(['chromium'], 'the embed in a browser', () => {
  let fixture: Fixture | undefined;
  let wholeFixture: Fixture | undefined;
  let product: Product | undefined;

  beforeAll(async () => {
    const stack = await startStandalone();
    product = productOf(stack);
    [fixture, wholeFixture] = await Promise.all([openFixture(stack), openFixture(stack, { isWhole: true })]);
  }, 120_000);

  afterEach(() => Promise.all([fixture?.endVisits(), wholeFixture?.endVisits()]));

  const opened = <T>(part: T | undefined): T => {
    if (!part) throw new Error('the fixture did not open');
    return part;
  };
  for (const scenarios of EMBED_SCENARIOS) {
    scenarios(
      () => opened(needWholeChromium(scenarios) ? wholeFixture : fixture),
      () => opened(product),
    );
  }
});
