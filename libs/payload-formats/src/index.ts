export { createPayloadRenderer } from './payload-renderer.ts';
export type { PayloadRenderer } from './payload-renderer.ts';
export type { PayloadEvent } from './event/payload-event.ts';
export type { Rendering } from './engine/job.ts';
export { locatedMessage } from './located-message.ts';
