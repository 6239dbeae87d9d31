import { openRealPair } from '@svcforms/event-bus/testing';
import { describeWith } from '@svcforms/test-kit';
import { describeDispatcher } from '../test/dispatcher-suite.ts';

describeWith(['nats', 'mongo'], 'the dispatcher on NATS and MongoDB', () => {
  describeDispatcher(openRealPair);
});
