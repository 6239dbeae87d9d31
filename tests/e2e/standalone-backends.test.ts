import { atEnd, describeWith, sharedMongo, startNats } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { describeMainJob } from './scenarios/main-job.ts';
import { startStandalone } from './stack.ts';

jest.setTimeout(60_000);
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

describeWith(['nats', 'mongo'], 'with real backends', () => {
  describeMainJob('the standalone on NATS and a MongoDB server', async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    const database = `e2e_${randomUUID().slice(0, 8)}`;
    return startStandalone({ NATS_URL: nats.url, MONGODB_URL: `${await sharedMongo()}/${database}` });
  });
});
