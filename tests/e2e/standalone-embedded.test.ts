import { describeMainJob } from './main-job.ts';
import { startStandalone } from './stack.ts';

jest.setTimeout(60_000);

describeMainJob('the standalone on its embedded stores', () => startStandalone());
