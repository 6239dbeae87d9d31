import { describeWith } from '@svcforms/test-kit';
import { startStandalone } from '../e2e/stack.ts';
import { DASHBOARD_STORIES } from './dashboard-stories.ts';
import { openStage, type Stage } from './stage.ts';

jest.setTimeout(60_000);
// A second try, as a noisy machine needs it, is told in the summary: docs/adr/0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

describeWith(['chromium'], 'the dashboard in a browser', () => {
  let stage: Stage | undefined;

  beforeAll(async () => {
    stage = await openStage(await startStandalone());
  }, 120_000);

  afterEach(() => stage?.endTest());

  for (const stories of DASHBOARD_STORIES) {
    stories(() => {
      if (!stage) throw new Error('the stage did not open');
      return stage;
    });
  }
});
