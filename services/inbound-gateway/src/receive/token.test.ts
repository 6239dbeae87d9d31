import { hashToken } from '@svcforms/signing';
import { presentedToken, tokenMatches } from './token.ts';

describe('the token that a request presents', () => {
  it.each([
    ['the header', 'Bearer one', {}, 'one'],
    ['the header, in any case and with blanks around', 'bEARER   one  ', {}, 'one'],
    ['the header, before the body', 'Bearer one', { token: 'two' }, 'one'],
    ['the body without a header', undefined, { token: 'two' }, 'two'],
    ['the body beside another scheme', 'Basic dTpw', { token: 'two' }, 'two'],
    ['the body beside an empty header', 'Bearer ', { token: 'two' }, 'two'],
    ['nothing, where the body’s is no text', undefined, { token: 2 }, undefined],
    ['nothing, where the body is a list', undefined, ['token'], undefined],
    ['nothing, where the body could not be read', undefined, new Error('no JSON'), undefined],
    ['nothing, where the body is null', undefined, null, undefined],
    ['nothing, where a header has more than a token', 'Bearer one two', {}, undefined],
    ['nothing of what an object inherits', undefined, JSON.parse('{"__proto__":{"token":"x"}}'), undefined],
  ])('is that of %s.', (_, authorization, body: unknown, token) => {
    expect(presentedToken(authorization, body)).toBe(token);
  });
});

describe('a token', () => {
  it.each([
    ['svc_inb_x', 'svc_inb_x', true],
    ['svc_inb_x', 'svc_inb_y', false],
    ['svc_inb_x', '', false],
    ['svc_inb_x', 'svc_inb_x ', false],
  ])('%s matches %j: %s', (stored, presented, matches) => {
    expect(tokenMatches(presented, hashToken(stored))).toBe(matches);
  });
});
