import { passwordProblem } from './password-policy.ts';

const problem = (password: string) => passwordProblem(password, ['ada.lovelace@example.com', 'Ada Lovelace']);

describe('a new password', () => {
  it.each(['password', 'seven--', '', 'eleven char', 'Tr0ub4dor&3'])(
    'of %j is too short.',
    async (password) => {
      expect(await problem(password)).toBe('must have at least 12 characters');
    },
  );

  it.each([
    'passwordpassword',
    'password1234',
    'P@ssw0rd1234',
    '123456789012',
    'qwertyuiop[]',
    'aaaaaaaaaaaa',
    'abcdefghijkl',
    'letmeinletmein',
    'administrator',
    '1qaz2wsx3edc',
    'svcforms1234',
    'ada.lovelace@example.com',
    'ADA.LOVELACE@example.com',
    'adalovelace1',
    '\uFF50assword1234',
  ])('%j is too easy to guess', async (password) => {
    expect(await problem(password)).toMatch(/^is too easy to guess/);
  });

  it.each([
    'correct horse battery',
    'owner password',
    'with blanks in it',
    'xkV3-9qLm-ttR2',
    'žluťoučký kůň',
    'x'.repeat(5) + 'a long sentence that somebody likes '.repeat(6),
  ])('%j is accepted', async (password) => {
    expect(await problem(password)).toBeNull();
  });
});
