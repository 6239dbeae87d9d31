export { renderClosed, styles } from '../parts/closed.ts';
