export { placeInline, styles } from '../parts/inline.ts';
