/**
 * What only pages without a login say: why single sign-on failed, the page for a forgotten
 * password, and those of links in emails.
 */
export const loginPageTexts = {
  failures: {
    expired: 'The login took too long, was used before, or began in another browser. Try again.',
    denied: 'The identity provider refused the login.',
    unavailable: 'The identity provider isn’t available. Try again later, or log in with your password.',
    unverified: 'The identity provider hasn’t verified your email address. Ask its administrator.',
    role: 'None of your groups has access. Ask an owner of your account or the administrator of the identity provider.',
    account: 'Your email address belongs to another login. Ask an owner of your account.',
  },
  forgot: {
    title: 'Reset your password',
    text: 'Enter your email address. We send you a link to set a new password.',
    send: 'Send link',
    sentTitle: 'Check your email',
    sent: (email: string) =>
      `If ${email} belongs to a user, we’re sending a link. It works once and for one hour.`,
    singleSignOn:
      'If your account requires single sign-on, we don’t send a link. Log in with single sign-on instead.',
    noEmail:
      'This installation sends no email. Ask an owner or admin of your account for a new password, or the operator of this installation.',
    command: 'Command for the operator',
  },
  reset: {
    title: 'Set a new password',
    password: 'New password',
    passwordHint: 'At least 12 characters, not a common password. All your sessions end.',
    save: 'Set password',
    savedTitle: 'Password changed',
    saved: 'All your sessions have ended. Log in with the new password.',
    request: 'Request a new link',
  },
  invitation: {
    title: 'Join your team',
    text: (accountName: string) => `You’re invited to the account ${accountName}.`,
    email: 'Email',
    name: 'Name',
    role: 'Role',
    password: 'Password',
    passwordHint: 'At least 12 characters, not a common password.',
    accept: 'Accept invitation',
    singleSignOn: (email: string) =>
      `This account requires single sign-on. Log in as ${email} to accept the invitation.`,
    noProvider: 'This installation has no identity provider for the account. Ask the person who invited you.',
    ask: 'Ask the person who invited you for a new link.',
  },
} as const;
