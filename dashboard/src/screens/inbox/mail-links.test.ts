import { keepMailLink, takeMailLink } from './mail-links.ts';

it('gives the token of the link to one decision on its task', () => {
  expect(keepMailLink('tsk_1', 'link=v1.key.iv.text.tag')).toBe(true);
  expect(keepMailLink('tsk_2', 'history')).toBe(false);
  expect(takeMailLink('tsk_2')).toEqual({});
  expect(takeMailLink('tsk_1')).toEqual({ mailLink: 'v1.key.iv.text.tag' });
  expect(takeMailLink('tsk_1')).toEqual({});
});
