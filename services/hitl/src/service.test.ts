import { describeHitl } from './testing/hitl-suite.ts';
import { openEmbeddedPair } from './testing/pairs.ts';

describe('hitl on the embedded pair', () => {
  describeHitl(openEmbeddedPair);
});
