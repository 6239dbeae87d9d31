import { shownJson } from './shown-json.ts';

it('keeps text that can be seen', () => {
  expect(shownJson({ to: 'Zoë 東京 😀', list: [1, null] })).toBe(
    '{\n  "to": "Zoë 東京 😀",\n  "list": [\n    1,\n    null\n  ]\n}',
  );
});

it.each<[string, string, string]>([
  ['a text direction', 'a\u202eb', 'a\\u202eb'],
  ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
  ['a no-break space', 'a\u00a0b', 'a\\u00a0b'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a tag character', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['a Hangul filler', 'a\u3164b', 'a\\u3164b'],
])('writes %s as an escape', (_name, text, shown) => {
  expect(shownJson([text])).toBe(`[\n  "${shown}"\n]`);
  expect(JSON.parse(shownJson([text]))).toEqual([text]);
});
