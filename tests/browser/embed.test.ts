import { describeWith } from '@svcforms/test-kit';
import { productOf, startStandalone, type Product } from '../e2e/stack.ts';
import { openStage, type Stage } from './stage.ts';
import { EMBED_STORIES } from './embed-scenarios.ts';

jest.setTimeout(60_000);
// A second try, as a noisy machine needs it, is told in the summary: docs/adr/0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

describeWith(['chromium'], 'the embed in a browser', () => {
  let stage: Stage | undefined;
  let product: Product | undefined;

  beforeAll(async () => {
    const stack = await startStandalone();
    product = productOf(stack);
    stage = await openStage(stack);
  }, 120_000);

  afterEach(() => stage?.endVisits());

  const opened = <T>(part: T | undefined): T => {
    if (!part) throw new Error('the stage did not open');
    return part;
  };
  for (const scenarios of EMBED_STORIES) {
    scenarios(
      () => opened(stage),
      () => opened(product),
    );
  }
});
