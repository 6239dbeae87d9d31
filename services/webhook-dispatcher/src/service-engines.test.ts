import { describeWith } from '@svcforms/test-kit';
import { describeDispatcher } from './testing/dispatcher-suite.ts';
import { openRealPair } from './testing/pairs.ts';

describeWith(['nats', 'mongo'], 'the dispatcher on NATS and MongoDB', () => {
  describeDispatcher(openRealPair);
});
