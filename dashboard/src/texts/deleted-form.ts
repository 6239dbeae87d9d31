/** The dialog for a form that was deleted while it was edited. */
export const deletedTexts = {
  title: 'This form was deleted',
  text: 'It was deleted elsewhere, with its submissions and webhooks, so you can’t save your changes to it. They aren’t lost: save them as a new form, or discard them.',
  discard: 'Discard and go to forms',
  saveAsNew: 'Save as a new form',
  later: 'Decide later',
  saved: 'Saved as a new form. It’s a draft until you publish it.',
} as const;
