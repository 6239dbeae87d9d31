/** The login, and the dialogs that ask to log in again. The first load contains them. */
export const loginTexts = {
  title: 'Log in',
  email: 'Email',
  password: 'Password',
  logIn: 'Log in',
  forgotten: 'Forgot your password?',
  singleSignOn: 'Log in with single sign-on',
  openSingleSignOn: 'Open single sign-on',
  newTab: 'Single sign-on opens in a new tab. Come back here afterwards.',
  continue: 'Continue',
  back: 'Back to login',
  secondFactor: {
    title: 'Enter a code',
    text: 'Enter the code from your authenticator app, or a recovery code.',
    code: 'Code',
    back: 'Start again',
  },
} as const;
