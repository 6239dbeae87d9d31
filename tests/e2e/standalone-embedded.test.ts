import { describeMainJob } from './scenarios/main-job.ts';
import { startStandalone } from './stack.ts';

jest.setTimeout(60_000);
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

describeMainJob('the standalone on its embedded stores', () => startStandalone());
