export { watchHistory } from '../parts/watch-history.ts';
