import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { describeHitl } from './testing/hitl-suite.ts';

describe('hitl on the embedded pair', () => {
  describeHitl(openEmbeddedPair);
});
