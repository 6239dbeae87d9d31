/**
 * The dialog for what was saved meanwhile, by somebody else or in another tab: a form, unless the
 * screen says what else.
 */
export const conflictTexts = {
  title: 'This form was saved somewhere else',
  text: 'Your changes are still here. Load the saved version, or overwrite it with yours.',
  theirs: 'Discard my changes',
  mine: 'Overwrite with mine',
  back: 'Decide later',
} as const;
