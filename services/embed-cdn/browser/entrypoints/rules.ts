export { createProgress, limitProblem, say, setLimits, stepsOf, styles } from '../parts/rules.ts';
