import { isAppError } from '@svcforms/contracts';
import { parseJson, refuseInfinite, refuseUnstorable } from './parse-json.ts';

/** The pointer of the refusal; `undefined` if the value is accepted. */
function pointerOf(refuse: (value: unknown) => void, json: string): string | undefined {
  try {
    refuse(parseJson(Buffer.from(json)));
    return undefined;
  } catch (error) {
    return isAppError(error) ? error.details.issues?.[0]?.pointer : String(error);
  }
}

it.each([
  ['{"a": [1, {"b": 2}], "c": {"d": [0, 1e999]}}', '/c/d/1'],
  ['{"a": {"b": {"c": 1}}, "__proto__": {"e": -1e999}}', '/__proto__/e'],
  ['[[[1], [2, 1e999]]]', '/0/1/1'],
  ['{"a": [1, {"b": "1e999"}]}', undefined],
])('points at the infinite number in %s: %s', (json, pointer) => {
  expect(pointerOf(refuseInfinite, json)).toBe(pointer);
  expect(pointerOf(refuseUnstorable, json)).toBe(pointer);
});

it.each([
  [String.raw`{"a": ["x", {"b": "y"}], "c": {"d": ["x", "\u0000"]}}`, '/c/d/1'],
  [String.raw`{"a": {"b": 1}, "c": {"__proto__": "\ud800"}}`, '/c/__proto__'],
  [String.raw`{"a": [[], {}], "b": {"\u0000": 1}}`, '/b/\0'],
  [String.raw`{"a": ["\ud83d\ude00", null, true]}`, undefined],
])('points at the text in %s that no store can hold: %j', (json, pointer) => {
  expect(pointerOf(refuseUnstorable, json)).toBe(pointer);
  expect(pointerOf(refuseInfinite, json)).toBeUndefined();
});
