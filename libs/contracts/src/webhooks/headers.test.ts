import { readInput } from '../api/read-input.ts';
import { exceededHeaderLimits, headerOut, headersIn, headersPatch } from './headers.ts';

/** Parsed, so that `__proto__` is a key like in a request. */
const parsed = (headers: object | string): unknown =>
  typeof headers === 'string' ? JSON.parse(headers) : headers;
const numbered = (count: number, value = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, value]));

describe('custom headers', () => {
  it.each([
    { 'X-Api-Key': 'k' },
    { Authorization: 'Bearer abc.def=' },
    { "!#$%&'*+-.^_`|~09azAZ": 'x' },
    { 'X-Spaces': 'a b\tc' },
    { 'X-Visible': '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' },
    { ['x'.repeat(100)]: 'x' },
    { X: 'x'.repeat(4096) },
    { Webhook: 'x', Svc: 'x', Proxy: 'x', Cookie: 'a=b', 'X-Forwarded-For': '192.0.2.1' },
    numbered(20),
    {},
  ])('may be %j', (headers) => {
    expect(readInput(headersIn, headers)).toEqual({ ok: true, value: headers });
    expect(readInput(headersPatch, headers)).toEqual({ ok: true, value: headers });
  });

  it.each([
    'Accept-Encoding',
    'Connection',
    'Content-Encoding',
    'Content-Length',
    'content-type',
    'Content-Type',
    'EXPECT',
    'Host',
    'HTTP2-Settings',
    'Keep-Alive',
    'Proxy-Authorization',
    'proxy-connection',
    'Svc-Delivery-Id',
    'Svc-Event-Id',
    'Svc-Hops',
    'svc-signature',
    'Svc-Task-Id',
    'SVC-TEST',
    'Svc-Later',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'traceparent',
    'TraceState',
    'Upgrade',
    'user-agent',
    'webhook-id',
    'Webhook-Signature',
    'WEBHOOK-TIMESTAMP',
  ])('may not be %s', (name) => {
    const refusal = {
      ok: false,
      issues: [{ pointer: `/${name}`, message: expect.stringMatching(/use another name/) as string }],
    };
    expect(readInput(headersIn, { [name]: 'x' })).toEqual(refusal);
    expect(readInput(headersPatch, { [name]: null })).toEqual(refusal);
  });

  it.each([
    ['an empty name', { '': 'x' }, '/', /this key must have at least 1 character/],
    ['a name with a space', { 'X Y': 'x' }, '/X Y', /this key must contain only letters, digits/],
    ['a name with a colon', { 'X:': 'x' }, '/X:', /this key must contain/],
    ['a name with a line break', { 'X\r\nY': 'x' }, '/X\r\nY', /this key must contain/],
    ['a name that is not ASCII', { 'X-Ü': 'x' }, '/X-Ü', /this key must contain/],
    ['a name with characters of a pointer', { 'a/b~c': 'x' }, '/a~1b~0c', /this key must contain/],
    ['a long name', { ['x'.repeat(101)]: 'x' }, `/${'x'.repeat(101)}`, /at most 100/],
    ['a name that objects have', '{"__proto__": "x"}', '/__proto__', /reserved key/],
    ['the same name in another case', { 'X-A': 'x', 'x-a': 'y' }, '/x-a', /is the same header as X-A/],
    ['an empty value', { X: '' }, '/X', /at least 1 character/],
    ['a value of a space', { X: ' ' }, '/X', /visible ASCII/],
    ['a value with a leading space', { X: ' x' }, '/X', /visible ASCII/],
    ['a value with a trailing tab', { X: 'x\t' }, '/X', /visible ASCII/],
    ['a value with CR LF', { X: 'x\r\nY: z' }, '/X', /visible ASCII/],
    ['a value that ends with LF', { X: 'x\n' }, '/X', /visible ASCII/],
    ['a value with NUL', { X: 'x\0y' }, '/X', /visible ASCII/],
    ['a value with DEL', { X: 'x\u007fy' }, '/X', /visible ASCII/],
    ['a value that is not ASCII', { X: 'é' }, '/X', /visible ASCII/],
    ['a long value', { X: 'x'.repeat(4097) }, '/X', /at most 4096/],
    ['a value that is a number', { X: 7 }, '/X', /must be text/],
    ['a list', ['x'], '', /must be an object/],
    ['more than 20', numbered(21), '', /at most 20 headers/],
    ['too much together', numbered(3, 'x'.repeat(2100)), '', /at most 6144 characters/],
  ])('refuse %s', (_, headers, pointer, message) => {
    const refusal = { ok: false, issues: [{ pointer, message: expect.stringMatching(message) as string }] };
    expect(readInput(headersIn, parsed(headers))).toEqual(refusal);
    expect(readInput(headersPatch, parsed(headers))).toEqual(refusal);
  });

  it('never quote a value in a message', () => {
    const values = ['hush-1\n', ' hush-2', 'hush-3'.repeat(1000)];
    for (const value of values) {
      expect(JSON.stringify(readInput(headersIn, { X: value }))).not.toContain('hush');
    }
  });

  it('may be null in a patch: one of them, and all', () => {
    expect(readInput(headersPatch, { X: null })).toEqual({ ok: true, value: { X: null } });
    expect(readInput(headersPatch, null)).toEqual({ ok: true, value: null });
    expect(readInput(headersIn, { X: null })).toMatchObject({ ok: false, issues: [{ pointer: '/X' }] });
    expect(readInput(headersIn, null)).toMatchObject({ ok: false, issues: [{ pointer: '' }] });
  });

  it('that a patch removes count neither as headers nor as characters', () => {
    const removed = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`Old-${n}`, null]));
    expect(readInput(headersPatch, { ...numbered(20), ...removed })).toMatchObject({ ok: true });
    expect(exceededHeaderLimits(numbered(20))).toEqual([]);
    expect(exceededHeaderLimits(numbered(21))).toHaveLength(1);
  });

  it.each([
    ['a', null],
    ['elevenchars', null],
    ['twelve-chars', 'hars'],
    ['Bearer 0123456789', '6789'],
  ])('show of %j as last4 %j', (value, last4) => {
    expect(headerOut('X-Api-Key', value)).toEqual({ name: 'X-Api-Key', last4 });
  });
});
