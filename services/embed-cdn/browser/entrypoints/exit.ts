export { signals } from '../triggers/exit-signals/signals.ts';
