import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { describeDispatcher } from '../test/dispatcher-suite.ts';

describe('the dispatcher on the embedded pair', () => {
  describeDispatcher(openEmbeddedPair);
});
