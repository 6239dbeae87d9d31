const LITERAL = /(?:true|false|null)(?![A-Za-z0-9_])/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids them
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Where a text stops being JSON, as an index, and what was expected there; `null` for JSON. The
 * errors of `JSON.parse` quote the text, which may contain submitted values, and often don't say
 * where.
 */
export function jsonError(text: string): { at: number; expected: string } | null {
  let at = 0;
  /** The closing characters of open lists and objects. */
  const open: ('}' | ']')[] = [];
  const read = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const skipTo = (): string => (read(SPACE), text[at] ?? '');

  let expects: 'value' | 'key' | 'first value' | 'first key' | 'end' = 'value';
  for (;;) {
    const char = skipTo();
    if (expects === 'end') {
      const closing = open.at(-1);
      if (closing === undefined) return char === '' ? null : { at, expected: 'the end of the body' };
      if (char !== ',' && char !== closing) return { at, expected: `, or ${closing}` };
      at += 1;
      if (char === ',') expects = closing === '}' ? 'key' : 'value';
      else open.pop();
      continue;
    }
    if ((expects === 'first key' && char === '}') || (expects === 'first value' && char === ']')) {
      open.pop();
      at += 1;
      expects = 'end';
      continue;
    }
    if (expects === 'key' || expects === 'first key') {
      if (!read(TEXT)) return { at, expected: 'a key in double quotes' };
      if (skipTo() !== ':') return { at, expected: ':' };
      at += 1;
      expects = 'value';
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      at += 1;
      expects = char === '{' ? 'first key' : 'first value';
    } else if (read(TEXT) || read(NUMBER) || read(LITERAL)) expects = 'end';
    else return { at, expected: 'a value' };
  }
}

/** The line and column of an index, both from 1. */
export function positionOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
