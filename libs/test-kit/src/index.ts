export { describeWith } from './describe-with.ts';
export type { EngineName } from './describe-with.ts';
export { sharedMongo, startMongo, startNats } from './engines.ts';
export type { Engine } from './engines.ts';
export { poll, TEST_TIMEOUT_MS } from './poll.ts';
