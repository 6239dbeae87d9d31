export { push } from '../parts/data-layer.ts';
