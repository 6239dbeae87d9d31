export { exit } from '../triggers/exit.ts';
// Cached loaders of earlier versions import this name.
export { signals } from '../triggers/exit-signals/signals.ts';
