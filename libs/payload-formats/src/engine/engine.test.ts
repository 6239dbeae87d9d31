import { EVENT_TYPES } from '@svcforms/contracts';
import { anEvent, AT } from '../../test/events.ts';
import { createEngine } from './engine.ts';

const run = createEngine();
const render = (
  template: string,
  data: object = {},
  type: (typeof EVENT_TYPES)[number] = 'form.submission.new',
) => run({ kind: 'render', template, event: anEvent(type, data) });
const bodyOf = (template: string, data: object = {}) => render(template, data)?.body;
const valueOf = (template: string, data: object = {}): unknown => JSON.parse(bodyOf(template, data) ?? '');

const NASTY = '", "admin": true, "x": "\\ \n\t\u0000 <b> \u2028 🦊 {{ form.name }}';

describe('a template', () => {
  it('escapes values inside quotes, wherever they come from', () => {
    const template = `{"a": "{{ data.v }}", "b": ["{{ data.list }}", "{{ data.o }}"],
      {% assign c = data.v %}"c": "{{ c | append: '!' }}",
      {% capture d %}<{{ data.v }}>{% endcapture %}"d": "{{ d }}",
      "e": "{% for f in fields %}{{ f.text }}{% endfor %}", "{{ data.v }}": 1}`;
    expect(valueOf(template, { v: NASTY, list: [NASTY, 1, null], o: { k: NASTY } })).toEqual({
      a: NASTY,
      b: [`${NASTY}, 1, `, JSON.stringify({ k: NASTY })],
      c: `${NASTY}!`,
      d: `<${NASTY}>`,
      e: `${NASTY.trim()}${NASTY}, 1${JSON.stringify({ k: NASTY })}`,
      [NASTY]: 1,
    });
  });

  it.each([
    ['{{ data.list | upcase }}', 'RED, BLUE'],
    ['{{ data.list | append: "!" }}', 'red, blue!'],
    ['{{ data.list | base64_encode }}', 'cmVkLCBibHVl'],
    ['{{ data.list | replace: ", ", "/" }}', 'red/blue'],
    ['{{ data.list | truncatewords: 1 }}', 'red,...'],
    ['{{ data.list | split: ", " | last }}', 'blue'],
    ['{{ "x" | append: data.list }}', 'xred, blue'],
    ['{{ "x" | prepend: data.o }}', '{"a":1}x'],
    ['{{ data.o | escape }}', '{&#34;a&#34;:1}'],
    ['{{ data.o | strip_newlines }}', '{"a":1}'],
    ['{{ data.mixed | join }}', '{"a":1} red, blue 2'],
    ['{{ data.o | join }}', '{"a":1}'],
    ['{% capture text %}{{ data.o }} {{ data.quoted }}{% endcapture %}{{ text }}', '{"a":1} "red", blue'],
    ['{{ data.none | upcase }}{{ data.none | join }}', ''],
  ])('writes lists and objects in %s as in any string', (template, text) => {
    const list = ['red', 'blue'];
    const data = { list, o: { a: 1 }, mixed: [{ a: 1 }, list, 2], quoted: ['"red"', 'blue'], none: null };
    expect(valueOf(`"${template.replaceAll('"', "'")}"`, data)).toBe(text);
  });

  it('writes whole JSON values with the filter json, and nothing else without quotes', () => {
    const data = { v: NASTY, n: 1.5, t: true, list: [{ a: null }], empty: '' };
    const template =
      '{"v": {{ data.v | json }}, "n": {{ data.n }}, "t": {{ data.t }}, "all": {{ data | json }}, "no": {{ data.nothing | json }}}';
    expect(valueOf(template, data)).toEqual({ v: NASTY, n: 1.5, t: true, all: data, no: null });
    expect(bodyOf('{{ data | json }}', data)).toBe(JSON.stringify(data));
  });

  it('has the envelope, the event, the form and the answers with their labels', () => {
    const template = `{"id": "{{ event.id }}", "type": "{{ eventType }}", "title": "{{ event.title }}", "url": "{{ event.url }}",
      "at": "{{ timestamp | date: '%Y-%m-%d %H:%M' }}", "form": "{{ form.id }} {{ form.name }} {{ form.title }}",
      "delivery": "{{ delivery.id }}", "submission": "{{ submissionId }}", "via": "{{ metadata.submittedVia }}",
      "fields": [{% for f in fields %}{"l": "{{ f.label }}", "n": "{{ f.name }}", "t": "{{ f.text }}", "v": {{ f.value | json }}, "y": {{ f.type | json }}}{% unless forloop.last %},{% endunless %}{% endfor %}]}`;
    expect(valueOf(template, { extra: 1, size: ['s'], email: 'a@b.c' })).toEqual({
      id: 'evt_1',
      type: 'form.submission.new',
      title: 'New submission: Contact',
      url: 'https://forms.example/forms/frm_1/submissions/sub_1',
      at: AT.slice(0, 16).replace('T', ' '),
      form: 'frm_1 Contact Write to us',
      delivery: 'del_1',
      submission: 'sub_1',
      via: 'web',
      fields: [
        { l: 'Your email', n: 'email', t: 'a@b.c', v: 'a@b.c', y: 'email' },
        { l: 'Sizes', n: 'size', t: 'Small', v: ['s'], y: 'checkboxes' },
        { l: 'extra', n: 'extra', t: '1', v: 1, y: null },
      ],
    });
  });

  it('writes nothing for nil, null, empty and blank, and null as JSON where there is no text', () => {
    const template = `{% assign none = nil %}["{{ none }}", {{ none | json }}, "{{ data.no | default: nil }}",
      "{{ null }}", {{ null | json }}, "{{ empty }}", {{ empty | json }}, "{{ blank }}", "{{ nil | slack_escape }}"]`;
    expect(valueOf(template)).toEqual(['', null, '', '', null, '', '', '', '']);
  });

  it('takes the time of the event for now, so that each attempt has the same body', () => {
    const template = `"{{ 'now' | date: '%Y-%m-%dT%H:%M:%S' }} {{ data.day | date: '%Y-%m-%d' }}"`;
    expect(valueOf(template, { day: 'today' })).toBe(`${AT.slice(0, 19)} ${AT.slice(0, 10)}`);
  });

  it('encodes and decodes parts of URLs, whatever was submitted', () => {
    const template = '["{{ data.v | url_encode }}", "{{ data.v | url_decode }}"]';
    expect(valueOf(template, { v: 'a b&ü+%26' })).toEqual(['a+b%26%C3%BC%2B%2526', 'a b&ü &']);
    expect(valueOf(template, { v: '100% +' })).toEqual(['100%25+%2B', '100% +']);
    expect(valueOf(template, { v: '\ud83d' })).toEqual(['%EF%BF%BD', '\ud83d']);
  });

  it('writes nothing for a missing field size, and the length of texts and lists', () => {
    const template = `["{{ data.size }}", {{ data["size"] | json }}, {% if data.size %}1{% else %}0{% endif %},
      "{{ fields | map: "size" | compact | join }}", {{ data.list.size }}, {{ data.text.size }}]`;
    expect(valueOf(template, { text: 'abc', list: [1, 2] })).toEqual(['', null, 0, '', 2, 3]);
    expect(valueOf('["{{ data.size }}", "{{ data.o.size }}"]', { size: 'XL', o: { size: 7 } })).toEqual([
      'XL',
      '7',
    ]);
  });

  it.each(EVENT_TYPES)('renders %s', (type) => {
    const template =
      '{"text": "{{ event.title }}{% if data.decision %}: {{ data.decision.outcome }}{% endif %}"}';
    expect(render(template, {}, type)).toEqual({ body: expect.stringContaining('Contact') as string });
  });

  it('can escape for other chat apps, and cuts between characters', () => {
    expect(
      valueOf('["{{ data.v | slack_escape }}", "{{ data.v | markdown_escape }}"]', { v: '<!here> *a*' }),
    ).toEqual(['&lt;!here&gt; *a*', '\\<!here\\> \\*a\\*']);
    expect(valueOf('["{{ data.v | truncate: 4 }}", "{{ data.v | truncate }}"]', { v: 'ab🦊cd' })).toEqual([
      'ab…',
      'ab🦊cd',
    ]);
  });

  it.each([
    ['constructor', '{{ data.constructor }}{{ data.constructor.name }}{{ event.constructor.constructor }}'],
    [
      '__proto__',
      '{{ data.__proto__ }}{{ fields.__proto__.constructor }}{{ data["__proto__"]["toString"] }}',
    ],
    ['methods', '{{ timestamp.toString }}{{ fields.push }}{{ data.a.repeat }}{{ data.hasOwnProperty }}'],
    [
      'prototypes by filters',
      '{{ fields | map: "constructor" | join }}{{ fields | where: "__proto__" | size | minus: 0 | replace: "0", "" }}',
    ],
    [
      'the process',
      '{{ process }}{{ globalThis }}{{ env }}{{ require }}{{ global.process.env }}{{ secret }}{{ webhook.secret }}',
    ],
  ])('reaches nothing through %s', (_, template) => {
    expect(valueOf(`"${template.replaceAll('"', "'")}"`, { a: 'x' })).toBe('');
  });

  it.each([
    ['include', '{% include "a" %}'],
    ['render', '{% render "/etc/passwd" %}'],
    ['layout', '{% layout "a" %}'],
    ['echo, which doesn’t escape', '{% echo data.v %}'],
    ['liquid', '{% liquid echo data.v %}'],
  ])('has no tag %s', (_, template) => {
    expect(run({ kind: 'check', template })).toEqual({
      error: {
        message: expect.stringContaining('there is no tag') as string,
        in: 'template',
        line: 1,
        column: 1,
      },
    });
  });
});

describe('a template error', () => {
  it.each([
    ['{\n  "a": "{{ data.x | nope }}"\n}', 'undefined filter: nope', 2, 9],
    ['{\n\n{% if data.x %}1', 'tag {% if data.x %} not closed', 3, 1],
    ['{"a": {{ data.x }', 'output "{{ data.x }" not closed', 1, 7],
    ['{% endfor %}', 'there is no tag "endfor"', 1, 1],
    ['{% for x of data %}{% endfor %}', expect.stringContaining('illegal tag'), 1, 1],
  ])('in %j has its line and column', (template, message, line, column) => {
    expect(run({ kind: 'check', template })).toEqual({ error: { message, in: 'template', line, column } });
    expect(render(template)).toEqual({ error: { message, in: 'template', line, column } });
  });

  it.each([
    ['{"a": {{ data.x }}}', 'expected a value', 1, 7],
    ['{"a": {{ data.v }}}', 'expected a value', 1, 7],
    ['[1,\n 2,]', 'expected a value', 2, 4],
    ['{"a" 1}', 'expected :', 1, 6],
    ['{a: 1}', 'expected a key in double quotes', 1, 2],
    ['{"a": 1,}', 'expected a key in double quotes', 1, 9],
    ['{"a": 1', 'expected , or }', 1, 8],
    ['[1 2]', 'expected , or ]', 1, 4],
    ['[01]', 'expected , or ]', 1, 3],
    ['"a\n"', 'expected a value', 1, 1],
    ['{} x', 'expected the end of the body', 1, 4],
    ['nullish', 'expected a value', 1, 1],
    ['  ', 'the body is empty', 1, 3],
  ])('of the body %j says where it is no JSON, without the values', (template, message, line, column) => {
    const rendering = render(template, { v: 'private' });
    expect(rendering).toMatchObject({
      error: { message: expect.stringContaining(message) as string, in: 'body', line, column },
    });
    expect(rendering?.error?.message).not.toContain('private');
    expect(() => JSON.parse(rendering?.body ?? '')).toThrow();
  });

  it.each([
    '1',
    ' null\n',
    '"a\\u00e9"',
    '[]',
    '{}',
    '[[],{},-1.5e+10,"\\"",true,false,null]',
    '{"a":{"b":[{}]},"c":""}',
  ])('isn’t found in %s', (template) => expect(render(template)).toEqual({ body: template }));
});
