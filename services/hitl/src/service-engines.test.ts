import { openRealPair } from '@svcforms/event-bus/testing';
import { describeWith } from '@svcforms/test-kit';
import { describeHitl } from './testing/hitl-suite.ts';

describeWith(['nats', 'mongo'], 'hitl on NATS and MongoDB', () => {
  describeHitl(openRealPair);
});
