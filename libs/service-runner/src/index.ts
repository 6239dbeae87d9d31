export { connectBus, connectStore, natsOptions } from './backends.ts';
export { createCloser } from './closer.ts';
export { ensureFirstAccount } from './first-account.ts';
export { createOutbound } from './outbound.ts';
export { runService } from './run-service.ts';
