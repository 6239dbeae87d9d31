import { openRealPair } from '@svcforms/event-bus/testing';
import { describeWith } from '@svcforms/test-kit';
import { describeHitl } from '../test/hitl-suite.ts';

describeWith(['nats', 'mongo'], 'hitl with NATS and MongoDB', () => {
  describeHitl(openRealPair);
});
