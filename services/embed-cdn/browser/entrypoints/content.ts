export { createBlock, formatLabel, formatText, styles } from '../parts/content.ts';
