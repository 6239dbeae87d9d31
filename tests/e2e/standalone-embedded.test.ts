import { describeMainJob } from './main-job.ts';
import { startStandalone } from './stack.ts';

jest.setTimeout(60_000);
// A second try, as a noisy machine needs it, is told in the summary: docs/adr/0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

describeMainJob('the standalone on its embedded stores', () => startStandalone());
