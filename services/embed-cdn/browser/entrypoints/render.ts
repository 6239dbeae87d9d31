export { render } from '../parts/render.ts';
