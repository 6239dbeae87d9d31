/** The dialog for a form that was deleted while it was edited. */
export const deletedTexts = {
  title: 'This form was deleted',
  text: 'It was deleted in another place, with its submissions and webhooks, so it can’t be saved. What you see here isn’t lost: save it as a new form, or discard it.',
  discard: 'Discard and go to forms',
  saveAsNew: 'Save as a new form',
  later: 'Decide later',
  saved: 'Saved as a new form. It’s a draft until you publish it.',
} as const;
