import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { describeHitl } from '../test/hitl-suite.ts';

describe('hitl with embedded backends', () => {
  describeHitl(openEmbeddedPair);
});
