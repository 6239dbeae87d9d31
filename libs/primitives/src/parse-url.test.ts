import { hasHost, parseUrl } from './parse-url.ts';

it.each(['https://m\u00fcnchen.example/gr\u00f6\u00dfe', 'https://例え.テスト/', 'https://example.com/'])(
  'parses %s, even when it has done so often',
  (text) => {
    let parsed = 0;
    for (let n = 0; n < 20_000; n++) if (parseUrl(text)) parsed += 1;
    expect(parsed).toBe(20_000);
  },
);

it('resolves a path, and returns null for other texts', () => {
  expect(parseUrl('/a', 'https://example.com')?.href).toBe('https://example.com/a');
  expect(['', '/a', 'https://', 'http://a b/'].map((text) => parseUrl(text))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

const ACCENTS = '\u0327\u0301'.repeat(250_000);

it.each([
  'https://',
  'https:',
  'https:/',
  'https:\\\\',
  ' http:////',
  'ht\ntps:/\t/',
  'https://a@',
  '//',
  'ws:',
])('returns null for %j and a megabyte of accents, without parsing them', (start) => {
  expect(parseUrl(`${start}a${ACCENTS}.example`, 'http://example.com')).toBeNull();
});

it('takes a megabyte of accents in a path or a query', () => {
  expect(parseUrl(`https://example.com/${ACCENTS}`)?.hostname).toBe('example.com');
  expect(parseUrl(`/${ACCENTS}`, 'https://example.com')?.hostname).toBe('example.com');
  expect(parseUrl(`?${ACCENTS}`, 'https://example.com')?.hostname).toBe('example.com');
});

it.each([
  ['https://example.com/', true],
  ['https://example.com./', true],
  ['https://例え.テスト/', true],
  ['smtp://m%C3%BCller.example:25', true],
  ['http://127.1/', true],
  ['http://[::1]/', true],
  ['https://*.example.com/', false],
  ['https://forms..example.com/', false],
  ['https://a,b/', false],
  ['http://127.0.0.1../', false],
])('tells whether the host of %s is an address or a name: %s', (text, expected) => {
  expect(hasHost(new URL(text))).toBe(expected);
});
