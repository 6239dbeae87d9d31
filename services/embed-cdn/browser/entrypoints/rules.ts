export {
  createProgress,
  limitProblem,
  say,
  setLimits,
  stepsOf,
  styles,
  visibleControls,
} from '../parts/rules.ts';
