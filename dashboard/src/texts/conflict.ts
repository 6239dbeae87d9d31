/** The dialog for what someone else saved meanwhile: a form, unless the screen says what else. */
export const conflictTexts = {
  title: 'Someone else saved this form',
  text: 'Your changes are still here. Load the saved version, or overwrite it with yours.',
  theirs: 'Discard my changes',
  mine: 'Overwrite with mine',
  back: 'Decide later',
} as const;
