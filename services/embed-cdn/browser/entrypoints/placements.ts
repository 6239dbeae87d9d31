export { place, styles } from '../parts/placements.ts';
