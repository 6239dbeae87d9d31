import { createHash } from 'node:crypto';
import { newId } from '@svcforms/contracts';
import { atEnd } from '@svcforms/test-kit';
import { createPayloadRenderer } from '../payload-renderer.ts';
import { createTemplateProcesses } from './template-processes.ts';
import { anEvent } from '../../test/events.ts';

const renderer = createPayloadRenderer({ templateProcesses: 2 });
atEnd(() => renderer.stop());

const render = (template: string, data: object = {}, accountId = 'acc_1') =>
  renderer.render({ format: 'template', template }, { ...anEvent('form.submission.new', data), accountId });

/** The longest time in which the event loop did nothing else, in milliseconds. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await work();
  clearInterval(timer);
  return longest;
}

const X = 'x'.repeat(5000);

/** Each of them runs for very long, or fills the memory, if nothing stops it. */
const HOSTILE: [string, string, object?][] = [
  [
    'nested loops',
    '{% for a in (1..9999) %}{% for b in (1..9999) %}{% assign c = b %}{% endfor %}{% endfor %}',
  ],
  ['loops that write', `{% for a in (1..9999) %}{% for b in (1..9999) %}${X}{% endfor %}{% endfor %}`],
  ['a long range', '{% for a in (1..9999999999) %}{% endfor %}'],
  ['many ranges', '{% for a in (1..999999) %}{% for b in (1..999999) %}{% endfor %}{% endfor %}'],
  [
    'a text that doubles',
    '{% assign a = "xxxxxxxxxx" %}{% for i in (1..90) %}{% assign a = a | append: a %}{% endfor %}"{{ a }}"',
  ],
  [
    'captured text that doubles',
    '{% assign a = "xxxxxxxxxx" %}{% for i in (1..90) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}"{{ a }}"',
  ],
  [
    'a replacement that explodes',
    '{% assign a = data.x | replace: "x", data.x %}{% assign b = a | replace: "x", a %}"{{ b }}"',
    { x: X },
  ],
  [
    'a list that explodes',
    '{% assign a = data.x | split: "" | join: data.x %}{% assign b = a | split: "" | join: a %}"{{ b }}"',
    { x: X },
  ],
  [
    'a list that doubles',
    '{% assign a = data.x | split: "" %}{% for i in (1..90) %}{% assign a = a | concat: a %}{% endfor %}{{ a | size }}',
    { x: X },
  ],
  ['a wide date', '"{{ timestamp | date: "%999999999Y" }}"'],
  [
    'a slow search',
    '{% if data.x contains data.y %}1{% endif %}',
    { x: 'a'.repeat(700_000), y: `${'a'.repeat(120_000)}b${'a'.repeat(120_000)}` },
  ],
  [
    'a body over 1 MiB',
    '"{{ data.x | strip_html }}{{ data.x | strip_html }}"',
    { x: '<script'.repeat(130_000) },
  ],
  [
    'deep nesting',
    `${'{% if true %}'.repeat(700)}1${'{% endif %}'.repeat(700)}{% for i in (1..999999) %}{% for j in (1..9999) %}{% endfor %}{% endfor %}`,
  ],
  [
    'JSON of JSON',
    '{% assign a = data.x %}{% for i in (1..60) %}{% assign a = a | json %}{% endfor %}"{{ a }}"',
    { x: '"\\'.repeat(2000) },
  ],
];

describe('the bundled engine', () => {
  it('hashes and encodes texts as documented', async () => {
    const template = '{"sha256": "{{ data.x | sha256 }}", "base64": "{{ data.x | base64_encode }}"}';
    const { body } = await render(template, { x: 'Zoë 🦊' });
    expect(JSON.parse(body ?? '')).toEqual({
      sha256: createHash('sha256').update('Zoë 🦊').digest('hex'),
      base64: Buffer.from('Zoë 🦊').toString('base64'),
    });
  });
});

describe('a hostile template', () => {
  it.each(HOSTILE)('is stopped: %s', async (_, template, data = {}) => {
    const startedAt = performance.now();
    const { error } = await render(template, data);
    expect(error?.message).toMatch(/takes longer than|too much memory|larger than|nested too deeply/);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    // The next template of the account isn't affected.
    expect(await render('{"a": 1}')).toEqual({ body: '{"a": 1}' });
  });

  it('doesn’t block the event loop', async () => {
    const block = await longestBlock(() => Promise.all(HOSTILE.slice(0, 6).map(([, text]) => render(text))));
    expect(block).toBeLessThan(250);
  });

  it('leaves a process to other accounts', async () => {
    const order: string[] = [];
    const [, slow] = HOSTILE[0]!;
    // Both processes have started.
    await Promise.all([render('1'), render('1', {}, 'acc_2')]);
    const queued = Array.from({ length: 4 }, () =>
      render(slow, {}, 'acc_hostile').then(() => order.push('hostile')),
    );
    await render('1', {}, newId('acc')).then(() => order.push('neighbor'));
    expect(order).not.toContain('hostile');
    await Promise.all(queued);
  });
});

/** Programs that get past every limit of the engine, as an unknown fault of it would. */
describe('an engine without limits of its own', () => {
  const job = { kind: 'check', template: '1' } as const;
  const program = (work: string) =>
    `process.on('message', () => { const all = []; for (;;) { ${work} } });
     process.send({ kind: 'ready' });`;

  it.each([
    ['takes too long', 800, '', 'the template takes longer than 800 ms'],
    ['fills the heap', 20_000, 'all.push(new Array(100_000).fill(1));', 'the template needs too much memory'],
    [
      'makes huge texts',
      20_000,
      'all.push(Buffer.from("x".repeat(2 ** 27)).toString("utf8").split(""));',
      'the template needs too much memory',
    ],
    ['throws', 20_000, 'throw new Error("secret");', 'the template engine failed'],
    ['exits', 20_000, 'process.exit(1);', 'the template engine failed'],
  ])('is stopped when it %s, and replaced', async (_, limitMs, work, message) => {
    const processes = createTemplateProcesses({ program: program(work), count: 1, limitMs });
    atEnd(() => processes.stop());
    const results = await Promise.all(['acc_1', 'acc_2'].map((accountId) => processes.run(job, accountId)));
    expect(results.map((result) => result?.error?.message)).toEqual([message, message]);
  });
});

describe('the limits', () => {
  it('say what is wrong, and where', async () => {
    expect(await render('[\n  {% for a in (1..99999999999) %}{% endfor %}]')).toEqual({
      error: { message: 'the template needs too much memory', in: 'template', line: 2, column: 3 },
    });
  });

  it('leave nothing running after stop', async () => {
    const other = createPayloadRenderer({ templateProcesses: 2 });
    const event = { ...anEvent('form.submission.new', {}), accountId: 'acc_1' };
    const running = other.render({ format: 'template', template: HOSTILE[0]![1] }, event);
    await Promise.all([expect(running).rejects.toThrow('stopped'), other.stop()]);
    await expect(other.render({ format: 'template', template: '1' }, event)).rejects.toThrow('stopped');
  });
});
