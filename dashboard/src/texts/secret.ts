/** A secret that is shown once. */
export const secretTexts = {
  once: 'Copy it now and store it safely. You can’t view it here again.',
  done: 'I’ve copied it',
  leave: {
    title: 'Leave this page?',
    text: 'You can’t view it here again.',
    stay: 'Stay on page',
    leave: 'Leave page',
  },
} as const;
