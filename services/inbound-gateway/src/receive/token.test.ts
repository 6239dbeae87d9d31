import { presentedToken } from './token.ts';

describe('the token that a request presents', () => {
  it.each([
    ['the header', 'Bearer one', {}, { token: 'one', isInBody: false }],
    [
      'the header, in any case and with blanks around',
      'bEARER   one  ',
      {},
      { token: 'one', isInBody: false },
    ],
    ['the header, before the body', 'Bearer one', { token: 'two' }, { token: 'one', isInBody: false }],
    ['the header, which the body repeats', 'Bearer one', { token: 'one' }, { token: 'one', isInBody: true }],
    ['the body without a header', undefined, { token: 'two' }, { token: 'two', isInBody: true }],
    ['the body beside another scheme', 'Basic dTpw', { token: 'two' }, { token: 'two', isInBody: true }],
    ['the body beside an empty header', 'Bearer ', { token: 'two' }, { token: 'two', isInBody: true }],
    ['nothing, where the body’s is no text', undefined, { token: 2 }, undefined],
    ['nothing, where the body is a list', undefined, ['token'], undefined],
    ['nothing, where the body could not be read', undefined, new Error('no JSON'), undefined],
    ['nothing, where the body is null', undefined, null, undefined],
    ['nothing, where a header has more than a token', 'Bearer one two', {}, undefined],
    ['nothing of what an object inherits', undefined, JSON.parse('{"__proto__":{"token":"x"}}'), undefined],
  ])('is that of %s', (_, authorization, body: unknown, presented) => {
    expect(presentedToken(authorization, body)).toEqual(presented);
  });
});
