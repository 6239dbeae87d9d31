export const loginTexts = {
  title: 'Log in',
  email: 'Email',
  password: 'Password',
  logIn: 'Log in',
  forgotten: 'Forgot your password? Ask an owner or admin of your account to set a new one.',
} as const;
