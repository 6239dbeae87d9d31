import { describeWith } from '@svcforms/test-kit';
import { describeHitl } from './testing/hitl-suite.ts';
import { openRealPair } from './testing/pairs.ts';

describeWith(['nats', 'mongo'], 'hitl on NATS and MongoDB', () => {
  describeHitl(openRealPair);
});
