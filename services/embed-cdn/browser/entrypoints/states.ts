export { scroll } from '../triggers/scroll.ts';
export { visible } from '../triggers/visible.ts';
