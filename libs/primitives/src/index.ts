export { createBatcher } from './batcher.ts';
export type { BatcherOptions } from './batcher.ts';
export type { Clock } from './clock.ts';
export { every } from './every.ts';
export type { Job } from './every.ts';
export { keysetPages } from './keyset-pages.ts';
export type { KeysetPagesOptions } from './keyset-pages.ts';
export type { Logger } from './logger.ts';
export { pause, TimeoutError, waitAtMost, withTimeout } from './timeout.ts';
