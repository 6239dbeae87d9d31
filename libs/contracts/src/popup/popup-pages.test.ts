import { PopupPages } from './popup-pages.ts';

/** docs/reference/popups.md#page-targeting */
describe('the saved paths of a popup', () => {
  const saved = (...include: string[]) => PopupPages.parse({ include }).include;

  it.each([
    ['a path as it is', '/pricing', '/pricing'],
    ['blanks around it', '  /pricing\t', '/pricing'],
    ['no leading slash', 'blog/*', '/blog/*'],
    ['only a star', '*', '/*'],
    ['capitals and a query', 'Pricing?x#y', '/Pricing?x#y'],
  ])('keep %s', (_, path, expected) => {
    expect(saved(path)).toEqual([expected]);
  });

  it('are at most 200 characters long, leading slash included', () => {
    expect(saved('a'.repeat(300))).toEqual([`/${'a'.repeat(199)}`]);
    expect(saved(`/${'b'.repeat(199)}`)).toEqual([`/${'b'.repeat(199)}`]);
  });

  it.each([
    ['a blank', `/${'a'.repeat(198)} b`],
    ['half an emoji', `/${'a'.repeat(198)}😀`],
    ['half an emoji after a blank', `/${'a'.repeat(197)} 😀`],
  ])('do not end in %s where they were cut, so that saving again changes nothing', (_, path) => {
    const once = saved(path) ?? [];
    expect(once[0]).toMatch(/^\/a+$/);
    expect(saved(...once)).toEqual(once);
  });

  it('are the first 20 that are not blank', () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
    expect(saved('', '  ', ...paths)).toEqual(paths.slice(0, 20));
  });

  it('are kept apart for both lists, and an absent list stays absent', () => {
    expect(PopupPages.parse({ exclude: ['b'] })).toEqual({ exclude: ['/b'] });
    expect(PopupPages.parse({ include: [], exclude: [''] })).toEqual({ include: [], exclude: [] });
    expect(PopupPages.parse({})).toEqual({});
  });
});
