export { solve } from '../parts/proof.ts';
