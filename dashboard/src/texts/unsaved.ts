/** The warning before unsaved changes are lost. */
export const unsavedTexts = {
  title: 'Leave without saving?',
  text: 'You have unsaved changes on this page.',
  stay: 'Stay on page',
  leave: 'Leave without saving',
} as const;
