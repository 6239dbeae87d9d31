export { createLogic, styles } from '../parts/logic.ts';
