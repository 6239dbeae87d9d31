import { describeDispatcher } from './testing/dispatcher-suite.ts';
import { openEmbeddedPair } from './testing/pairs.ts';

describe('the dispatcher on the embedded pair', () => {
  describeDispatcher(openEmbeddedPair);
});
