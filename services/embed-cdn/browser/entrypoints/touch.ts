export { lockBody, styles } from '../parts/touch.ts';
