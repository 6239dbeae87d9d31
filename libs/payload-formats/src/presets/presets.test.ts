import { EVENT_TYPES } from '@svcforms/contracts';
import { timersTurn } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { anEvent, FORM } from '../../test/events.ts';
import type { PayloadForm } from '../event/payload-event.ts';
import { createPayloadRenderer } from '../payload-renderer.ts';
import { piecesOf } from './escape-text.ts';

const FORMATS = ['slack', 'discord', 'teams', 'google-chat'] as const;
type Format = (typeof FORMATS)[number];
/**
 * Of the whole message, in bytes. Those of Slack and Discord are in characters and in their
 * schemas.
 */
const MAX_BYTES: Partial<Record<Format, number>> = { teams: 28 * 1024, 'google-chat': 32_000 };

const schemaOf = (format: Format) =>
  z.fromJSONSchema(
    JSON.parse(readFileSync(join(__dirname, `../../test/receivers/${format}.json`), 'utf8')) as Parameters<
      typeof z.fromJSONSchema
    >[0],
  );
const SCHEMAS = new Map(FORMATS.map((format) => [format, schemaOf(format)]));

const renderer = createPayloadRenderer({ templateProcesses: 1 });
async function render(format: Format, event: ReturnType<typeof anEvent>): Promise<string> {
  const { body, error } = await renderer.render({ format }, { ...event, accountId: 'acc_1' });
  expect(error).toBeUndefined();
  return body ?? '';
}

/** What the receiver would refuse or shorten. */
function faultsOf(format: Format, body: string): string[] {
  const message: unknown = JSON.parse(body);
  const read = SCHEMAS.get(format)!.safeParse(message);
  const faults = read.success ? [] : [z.prettifyError(read.error)];
  if (Buffer.byteLength(body) > (MAX_BYTES[format] ?? Infinity))
    faults.push(`${Buffer.byteLength(body)} bytes`);
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) faults.push('half a character');
    return value;
  });
  if (format === 'discord') {
    const [embed] = (message as { embeds: [{ title: string; fields?: Record<string, string>[] }] }).embeds;
    const texts = (embed.fields ?? []).flatMap((field) => Object.values(field));
    const size = [embed.title, ...texts].join('').length + 100;
    if (size > 6000) faults.push(`${size} characters in the embed`);
  }
  return faults;
}

const MANY = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`field_${n}`, `Answer ${n}`]));
const FAMILY = '👩‍👩‍👧‍👦';
const LONG_LABELS: PayloadForm = {
  name: 'N'.repeat(5000),
  fields: [{ name: 'email', type: 'email', label: `${FAMILY}*`.repeat(1000) }],
};

const ODD: [string, object, (PayloadForm | null)?][] = [
  ['ordinary data', { email: 'ada@example.com', size: ['s'], terms: { accepted: true, text: 'x' } }],
  ['no answers', {}],
  ['empty answers', { email: '', size: [], note: null, blank: '   ', nested: {} }],
  ['all types of values', { email: 7, size: 's', a: true, b: [1, [2, null]], c: { d: { e: 1 } }, f: 1e300 }],
  ['a very long text', { email: 'x'.repeat(900_000) }],
  ['a very long text of emoji', { email: '🦊'.repeat(20_000), note: FAMILY.repeat(5000) }],
  ['a long text that grows when it is escaped', { email: '<&>*_"\\\u0001'.repeat(5000) }],
  ['many fields', MANY],
  ['many long fields', Object.fromEntries(Object.keys(MANY).map((key) => [key, 'ä'.repeat(5000)]))],
  ['long keys', { ['k'.repeat(100_000)]: 'x', ['🦊'.repeat(50_000)]: 'y' }],
  ['mentions', { email: '@everyone @here <!channel> <@U123> <@&1> <users/all> <at>all</at>' }],
  [
    'links',
    { email: `https://example.com/?a=1&b=<2> [x](https://evil.example) https://${'a'.repeat(4000)}.example` },
  ],
  ['many links', { email: 'https://example.com/a '.repeat(3000) }],
  ['lone surrogates', { email: '\ud83d \udd8a', ['\ud83d']: 'x' }],
  ['prototype names', JSON.parse('{"__proto__": "x", "constructor": {"a": 1}, "toString": "y"}') as object],
  ['a deleted form', { email: 'ada@example.com' }, null],
  ['long labels', { email: 'ada@example.com' }, LONG_LABELS],
  ['a form without name', { email: 'ada@example.com' }, { name: '', fields: [] }],
];

describe.each(FORMATS)('a message for %s', (format) => {
  it.each(ODD)('is accepted with %s', async (_, data, form = FORM) => {
    for (const type of EVENT_TYPES) {
      const event = anEvent(type, data, {
        form,
        title: typeof data === 'object' ? JSON.stringify(data).slice(0, 9000) : '',
      });
      expect([type, faultsOf(format, await render(format, event))]).toEqual([type, []]);
    }
  });

  it('shows labels, options and answers in the order of the form, and no empty ones', async () => {
    const data = {
      extra: 'E1',
      terms: { accepted: false },
      size: ['s', 'l'],
      email: 'ada@example.com',
      note: '',
    };
    const body = await render(format, anEvent('form.submission.new', data));
    const shown = [
      'New submission: Contact',
      'Your email',
      'ada',
      'Sizes',
      'Small, l',
      'I accept the terms',
      'No',
      'extra',
      'E1',
    ];
    expect(
      shown.map((text) => body.indexOf(text, body.indexOf('Your email') * Number(text !== shown[0]))),
    ).not.toContain(-1);
    const places = ['Your email', 'Sizes', 'I accept the terms', 'extra'].map((text) => body.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(body).not.toContain('note');
    expect(body).toContain('https://forms.example/forms/frm_1/submissions/sub_1');
  });

  it('shows keys where the form is unknown', async () => {
    expect(await render(format, anEvent('form.submission.new', { email: 'x' }, { form: null }))).toContain(
      'email',
    );
  });

  it('says how many answers it leaves out', async () => {
    expect(await render(format, anEvent('form.submission.new', MANY))).toMatch(/and \d+ more answers/);
  });

  it('shows the task of its events', async () => {
    const body = await render(format, anEvent('hitl.task.cancelled', {}, { title: 'Refund of 120 EUR' }));
    expect(body).toContain('Task cancelled: Contact');
    expect(body).toContain('Refund of 120 EUR');
    expect(body).toContain('https://forms.example/tasks/tsk_1');
  });
});

describe('a large form', () => {
  const MANY_VALUES = Array.from({ length: 120_000 }, (_, n) => `v${n}`);
  const field = { name: 'size', type: 'checkboxes' } as const;

  it.each<[string, PayloadForm['fields'][number]]>([
    ['links in a label that never end', { ...field, label: '[]('.repeat(4_000_000) }],
    ['many chosen options', { ...field, options: MANY_VALUES.map((value) => ({ value, label: 'L' })) }],
  ])(
    'is rendered in linear time: %s',
    async (_, odd) => {
      const event = anEvent(
        'form.submission.new',
        { size: MANY_VALUES },
        { form: { ...FORM, fields: [odd] } },
      );
      expect(faultsOf('slack', await render('slack', event))).toEqual([]);
      await timersTurn();
    },
    20_000,
  );
});

describe('what people wrote', () => {
  it('is split into URLs in linear time, whatever ends them', async () => {
    const pieces = piecesOf(`https://${'.'.repeat(1900)}a `.repeat(10_000));
    expect(pieces.filter(({ isUrl }) => isUrl)).toHaveLength(10_000);
    await timersTurn();
  }, 20_000);

  const MENTIONS = '<!channel> @everyone <@U1> <users/all> <at>x</at> *b* [a](https://evil.example)';
  const of = (format: Format) => render(format, anEvent('form.submission.new', { email: MENTIONS }));

  it('mentions nobody in Slack', async () => {
    const body = await of('slack');
    expect(body).toContain('&lt;!channel&gt;');
    expect(body).not.toMatch(/<!(?!date)|<@/);
    expect(JSON.parse(body)).toMatchObject({ blocks: [{}, { text: { verbatim: true } }, {}] });
  });

  it('mentions nobody in Discord, and hides no link', async () => {
    const { allowed_mentions, embeds } = JSON.parse(await of('discord')) as {
      allowed_mentions: object;
      embeds: [{ fields: [{ value: string }] }];
    };
    expect(allowed_mentions).toEqual({ parse: [] });
    expect(embeds[0].fields[0].value).toContain('\\@everyone');
    expect(embeds[0].fields[0].value).toContain('\\[a\\](');
  });

  it('is no markup in Google Chat, and no text message, which could mention', async () => {
    const body = await of('google-chat');
    expect(body).toContain('&lt;users/all&gt;');
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['cardsV2']);
  });

  it('is a link only as a whole URL', async () => {
    const cut = `${'x'.repeat(2950)} https://example.com/${'a'.repeat(300)}`;
    const body = await render(
      'slack',
      anEvent('form.submission.new', { email: cut, site: 'https://a.example/?x=1&y=2, ok' }),
    );
    expect(body).not.toContain('<https://example.com/a');
    expect(body).toContain('<https://a.example/?x=1&amp;y=2>, ok');
  });

  it('is cut between characters', async () => {
    const body = await render('discord', anEvent('form.submission.new', { email: `x${FAMILY.repeat(200)}` }));
    const { value } = (JSON.parse(body) as { embeds: [{ fields: [{ value: string }] }] }).embeds[0].fields[0];
    expect(value).toMatch(new RegExp(`^x(${FAMILY})+…$`, 'u'));
    expect(value.length).toBeGreaterThan(1000);
  });
});

describe('the format data', () => {
  it.each(EVENT_TYPES)('is the data of %s, byte for byte', async (type) => {
    const event = anEvent(type, { b: 1, 1: 'é', metadata: { x: '","metadata":' }, data: 2 });
    const { body } = await renderer.render({ format: 'data' }, { ...event, accountId: 'acc_1' });
    const { data } = JSON.parse(event.body) as { data: unknown };
    expect(body).toBe(JSON.stringify(data));
    expect(event.body).toContain(`"data":${body}`);
  });
});
