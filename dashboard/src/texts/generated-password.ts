/** The screen that replaces a generated password. */
export const generatedPasswordTexts = {
  title: 'Choose your password',
  why: 'You logged in with a generated password. Replace it with your own to continue.',
  current: 'Generated password',
  next: 'New password',
  hint: 'At least 12 characters, not a common password.',
  save: 'Change password',
  logOut: 'Log out',
} as const;
