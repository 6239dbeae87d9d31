import { PopupPages } from './popup-pages.ts';

/** See docs/reference/popups.md#page-targeting. */
describe('the saved paths of a popup', () => {
  const saved = (...include: string[]) => PopupPages.parse({ include }).include;

  it.each([
    ['a normal path unchanged', '/pricing', '/pricing'],
    ['a path without surrounding spaces', '  /pricing\t', '/pricing'],
    ['a path with an added leading slash', 'blog/*', '/blog/*'],
    ['a single wildcard with a leading slash', '*', '/*'],
    ['the case and the query of a path', 'Pricing?x#y', '/Pricing?x#y'],
  ])('have %s', (_, path, expected) => {
    expect(saved(path)).toEqual([expected]);
  });

  it('have at most 200 characters including the leading slash', () => {
    expect(saved('a'.repeat(300))).toEqual([`/${'a'.repeat(199)}`]);
    expect(saved(`/${'b'.repeat(199)}`)).toEqual([`/${'b'.repeat(199)}`]);
  });

  it.each([
    ['a space', `/${'a'.repeat(198)} b`],
    ['half an emoji', `/${'a'.repeat(198)}😀`],
    ['half an emoji after a space', `/${'a'.repeat(197)} 😀`],
  ])('do not end in %s after truncation, so that saving again changes nothing', (_, path) => {
    const once = saved(path) ?? [];
    expect(once[0]).toMatch(/^\/a+$/);
    expect(saved(...once)).toEqual(once);
  });

  it('are the first 20 that are not blank', () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
    expect(saved('', '  ', ...paths)).toEqual(paths.slice(0, 20));
  });

  it('are separate for both lists, and an absent list stays absent', () => {
    expect(PopupPages.parse({ exclude: ['b'] })).toEqual({ exclude: ['/b'] });
    expect(PopupPages.parse({ include: [], exclude: [''] })).toEqual({ include: [], exclude: [] });
    expect(PopupPages.parse({})).toEqual({});
  });
});
