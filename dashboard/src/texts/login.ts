export const loginTexts = {
  title: 'Log in',
  email: 'E-mail',
  password: 'Password',
  logIn: 'Log in',
  forgotten: 'Forgot your password? An owner or admin of your account can set a new one.',
} as const;
