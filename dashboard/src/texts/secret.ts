/** A secret that is shown once. */
export const secretTexts = {
  once: 'Copy it now and store it safely. You can’t view it here again.',
  done: 'I’ve copied it',
} as const;
