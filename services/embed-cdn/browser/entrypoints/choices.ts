export { createBody, styles } from '../parts/choices.ts';
