import fc from 'fast-check';
import { compilePages } from './page-rules.ts';

const shows = (pattern: string, path: string) => compilePages({ include: [pattern] }, () => path)();

/**
 * What a pattern means: a regular expression in which only `*` is special. Too slow for anything
 * but short inputs.
 */
function reference(pattern: string, path: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/([^])\/+$/, '$1');
  const source = bare(pattern)
    .split('*')
    .map((text) => text.replace(/[^\w/]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${source}$`).test(bare(path));
}

/** docs/reference/popups.md#page-targeting */
describe('a page pattern', () => {
  it('means what a regular expression with only * as a wildcard means', () => {
    const text = (...units: string[]) =>
      fc.string({ unit: fc.constantFrom(...units), maxLength: 8 }).map((rest) => `/${rest}`);
    fc.assert(
      fc.property(text('a', 'B', '/', '*', '.'), text('a', 'b', '/', '.', '\n'), (pattern, path) => {
        expect(shows(pattern, path)).toBe(reference(pattern, path));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['/blog/*', '/blog/post', true],
    ['/blog/*', '/blog/2026/post/', true],
    ['/blog/*', '/blog', false],
    ['/blog/*', '/blog/', false],
    ['/blog*', '/blog', true],
    ['/blog/*/', '/blog/a', true],
    ['*', '/', true],
    ['/*', '/', true],
    ['/', '/', true],
    ['/', '/a', false],
    ['/a*a', '/a', false],
    ['/a*a', '/aa', true],
    ['/a*b*a', '/aba', true],
    ['/a*ab*b', '/ab', false],
    ['/*/edit', '/user/1/edit', true],
    ['/*/edit', '/edit', false],
    ['/Pricing/', '/pRICING', true],
    ['/pricing?plan=1#top', '/pricing', true],
    ['/a.c', '/abc', false],
    ['/(a+)+$', '/(a+)+$', true],
    ['/(a+)+$', '/aaa', false],
    ['/café/*', '/caf%C3%A9/menu', true],
    ['/caf%C3%A9/*', '/caf%C3%A9/menu', true],
    ['/100%/*', '/100%/off', true],
    ['/a%2Ab', '/axb', false],
    ['/a%2Ab', '/a%2Ab', true],
    ['/a%2Ab', '/a*b', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(shows(pattern, path)).toBe(expected);
  });

  it.each([
    ['five stars and 160 characters', '/*a*a*a*a*a*b', `/${'a'.repeat(160)}`],
    ['as many stars as fit', `/${'*a'.repeat(99)}b`, `/${'a'.repeat(10_000)}`],
    ['a path of slashes', '/*b', `/${'/'.repeat(50_000)}a`],
  ])('takes no time: %s', (_, pattern, path) => {
    const began = performance.now();
    expect(shows(pattern, path)).toBe(false);
    expect(performance.now() - began).toBeLessThan(50);
  });

  it('loses against an excluded one, whatever their order', () => {
    const isShown = compilePages({ include: ['/blog/*'], exclude: ['/blog/*/draft', '/x'] }, () => where);
    let where = '/blog/a/draft';
    expect(isShown()).toBe(false);
    where = '/blog/a';
    expect(isShown()).toBe(true);
  });

  it('is never asked where the page is without a rule', () => {
    const where = jest.fn(() => '/');
    expect(compilePages(undefined, where)()).toBe(true);
    expect(where).not.toHaveBeenCalled();
  });
});
