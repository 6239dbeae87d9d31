import { timersTurn } from '@svcforms/test-kit';
import fc from 'fast-check';
import { compilePages } from './page-rules.ts';

const shows = (pattern: string, path: string) => compilePages({ include: [pattern] }, () => path)();

/**
 * Reference implementation of a pattern: a regular expression in which only `*` is special. It is
 * too slow for long inputs.
 */
function reference(pattern: string, path: string): boolean {
  const bare = (text: string) => text.toLowerCase().replace(/([^])\/+$/, '$1');
  const source = bare(pattern)
    .split('*')
    .map((text) => text.replace(/[^\w/]/g, '\\$&'))
    .join('[^]*');
  return new RegExp(`^${source}$`).test(bare(path));
}

/** See docs/reference/popups.md#page-targeting. */
describe('a page pattern', () => {
  it('matches like a regular expression with * as the only wildcard', () => {
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
    ['/café/*', '/caf%C3%A9/100%', true],
    ['/my page/*', '/my%20page/caf%E9', true],
    ['/日本*', '/%E6%97%A5%E6%9C%AC%E8%AA', true],
    ['/привет*', '/%D0%BF%D1%80%D0%B8%D0%B2%D0%B5%D1%82%D0', true],
    ['/caf%E9', '/caf%e9', true],
    ['/café', '/caf%E9', false],
    ['/a%2Ab', '/axb', false],
    ['/a%2Ab', '/a%2Ab', true],
    ['/a%2Ab', '/a*b', true],
  ])('%s on %s: %s', (pattern, path, expected) => {
    expect(shows(pattern, path)).toBe(expected);
  });

  it.each([
    ['five wildcards and 160 characters', '/*a*a*a*a*a*b', `/${'a'.repeat(160)}`],
    ['the maximum number of wildcards', `/${'*a'.repeat(99)}b`, `/${'a'.repeat(10_000)}`],
    ['a path of slashes', '/*b', `/${'/'.repeat(500_000)}a`],
  ])(
    "doesn't take long with %s",
    async (_, pattern, path) => {
      expect(shows(pattern, path)).toBe(false);
      await timersTurn();
    },
    20_000,
  );

  it('has lower precedence than an excluded one', () => {
    const isShown = compilePages({ include: ['/blog/*'], exclude: ['/blog/*/draft', '/x'] }, () => where);
    let where = '/blog/a/draft';
    expect(isShown()).toBe(false);
    where = '/blog/a';
    expect(isShown()).toBe(true);
  });

  it('does not read the path without rules', () => {
    const where = jest.fn(() => '/');
    expect(compilePages(undefined, where)()).toBe(true);
    expect(where).not.toHaveBeenCalled();
  });
});
