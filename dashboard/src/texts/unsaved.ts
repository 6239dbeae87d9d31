/** The warnings before unsaved changes are lost. */
export const unsavedTexts = {
  title: 'Leave without saving?',
  text: 'You have unsaved changes on this page.',
  stay: 'Stay on page',
  leave: 'Leave without saving',
  dialog: {
    title: 'Discard your changes?',
    text: 'You have unsaved changes in this dialog.',
    stay: 'Keep editing',
    leave: 'Discard changes',
  },
} as const;
