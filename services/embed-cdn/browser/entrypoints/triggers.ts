export { readTriggers } from '../triggers/read-triggers.ts';
