import type { FormField, FormOut, FormSettings, SubmissionOut } from '@svcforms/contracts';
import { createForm } from '@svcforms/test-kit';
import fc from 'fast-check';
import { violations } from '../accessibility.ts';
import type { Fixture, Visit, VisitOptions } from '../fixture.ts';
import { openedVisit } from '../popup-visit.ts';

const PLANS = [
  { value: 'free', label: 'Free plan' },
  { value: 'team', label: 'Team plan' },
];
const onlyIf = (field: string, op: string, value?: unknown) =>
  ({ all: [{ field, op, ...(value !== undefined && { value }) }] }) as NonNullable<FormField['showIf']>;

/** docs/reference/forms.md#conditional-fields */
export function logicScenarios(fixture: () => Fixture): void {
  const inline = async (options: VisitOptions): Promise<Visit> => {
    const visit = await fixture().visit({ fakeClock: false, body: '<h1>x</h1>', ...options });
    await visit.page.waitForSelector('form');
    return visit;
  };
  const submissions = async ({ id }: { id: string }): Promise<SubmissionOut[]> =>
    (await fixture().client.get<SubmissionOut[]>(`/api/forms/${id}/submissions`, { expect: 200 })).body.data;
  const submitted = async ({ page, form }: Visit): Promise<unknown> => {
    await page.click('.primary');
    await page.waitForSelector('.done');
    return (await submissions(form))[0]?.data;
  };
  const next = ({ page }: Visit) => page.click('.primary');

  describe('logic', () => {
    it('shows fields by all and any, announces them, and drops what is hidden', async () => {
      const visit = await inline({
        fields: [
          { name: 'plan', type: 'radio', options: PLANS },
          {
            name: 'seats',
            type: 'number',
            label: 'Seats',
            required: true,
            showIf: onlyIf('plan', 'eq', 'team'),
          },
          {
            name: 'why',
            type: 'text',
            label: 'Why',
            showIf: {
              any: [
                { field: 'seats', op: 'gt', value: 9 },
                { field: 'plan', op: 'eq', value: 'free' },
              ],
            },
          },
        ],
      });
      const { page } = visit;
      const said = () => page.locator('form + [role=status]').textContent();
      expect(await said()).toBe('');
      await page.getByLabel('Team plan').check();
      expect(await said()).toBe('Now shown: Seats');
      await page.getByLabel('Seats').fill('5');
      expect(await page.getByLabel('Why').isVisible()).toBe(false);
      await page.getByLabel('Seats').fill('10');
      expect(await said()).toBe('Now shown: Why');
      await page.getByLabel('Why').fill('because');
      await page.getByLabel('Free plan').check();
      expect(await said()).toBe('No longer shown: Seats');
      expect(await submitted(visit)).toEqual({ plan: 'free', why: 'because' });
    });

    it('jumps over steps, counts them right, goes back along the path, and submits no skipped answer', async () => {
      const visit = await inline({
        fields: [
          { name: 'plan', type: 'radio', options: PLANS },
          { name: 'seats', type: 'number', label: 'Seats', required: true, step: 2 },
          { name: 'name', type: 'text', label: 'Name', step: 3 },
        ],
        settings: {
          jumps: [{ from: 1, to: 3, when: { all: [{ field: 'plan', op: 'eq', value: 'free' }] } }],
        },
      });
      const { page } = visit;
      const steps = () => page.locator('.steps').textContent();
      await page.getByLabel('Team plan').check();
      await next(visit);
      await page.getByLabel('Seats').fill('7');
      await page.getByText('Back').click();
      expect(await steps()).toBe('Step 1 of 3');
      await page.getByLabel('Free plan').check();
      expect(await steps()).toBe('Step 1 of 2');
      await next(visit);
      expect(await steps()).toBe('Step 2 of 2');
      expect(
        await page.evaluate(() => document.querySelector('svc-form')?.shadowRoot?.activeElement?.tagName),
      ).toBe('INPUT');
      await page.getByText('Back').click();
      expect(await page.getByLabel('Free plan').isVisible()).toBe(true);
      await next(visit);
      await page.getByLabel('Name').fill('Ada');
      expect(await submitted(visit)).toEqual({ plan: 'free', name: 'Ada' });
    });

    it('ends early and differently by answer', async () => {
      const fields: FormField[] = [
        { name: 'plan', type: 'radio', label: 'Plan', options: PLANS, required: true },
        { name: 'seats', type: 'number', label: 'Seats', required: true, step: 2 },
      ];
      const settings: FormSettings = {
        submitLabel: 'Send',
        thankYou: { title: 'Usual' },
        jumps: [{ from: 1, to: 'end', when: { all: [{ field: 'plan', op: 'eq', value: 'free' }] } }],
        endings: [
          {
            name: 'free',
            when: { all: [{ field: 'plan', op: 'eq', value: 'free' }] },
            title: 'Enjoy the {{plan}}',
          },
          {
            name: 'big',
            when: { all: [{ field: 'seats', op: 'gt', value: 100 }] },
            message: 'Wow',
            redirectUrl: `${fixture().baseUrl}/embed.js`,
          },
        ],
      };
      const free = await inline({ fields, settings });
      expect(await free.page.locator('.primary').textContent()).toBe('Next');
      await free.page.getByLabel('Free plan').check();
      expect(await free.page.locator('.primary').textContent()).toBe('Send');
      expect(await submitted(free)).toEqual({ plan: 'free' });
      expect(await free.page.locator('.done').textContent()).toBe('Enjoy the Free plan');

      for (const [seats, end] of [
        ['5', 'Usual'],
        ['500', 'redirect'],
      ] as const) {
        const visit = await inline({ form: free.form });
        await visit.page.getByLabel('Team plan').check();
        await next(visit);
        await visit.page.getByLabel('Seats').fill(seats);
        await next(visit);
        if (end === 'redirect') await visit.page.waitForURL('**/embed.js');
        else await visit.page.getByText(end).waitFor();
      }
    });

    it('puts answers into texts, of translations too, and never as markup', async () => {
      const visit = await inline({
        attributes: 'data-svc-lang="de"',
        fields: [
          { name: 'name', type: 'text', label: 'Name' },
          { name: 'plan', type: 'checkboxes', label: 'Plans of {{name}}', options: PLANS },
          { name: 'day', type: 'date', label: 'Day' },
          { name: 'head', type: 'heading', label: 'Hi {{name}}', step: 2 },
          { name: 'text', type: 'paragraph', label: '**{{name}}**: {{plan}}, {{day}}', step: 2 },
          {
            name: 'more',
            type: 'text',
            label: 'More',
            help: 'Of {{name}}',
            placeholder: '{{name}}',
            step: 2,
          },
          { name: 'terms', type: 'consent', label: 'I accept {{name}}', step: 2 },
        ],
        settings: {
          submitLabel: 'Go, {{name}}',
          thankYou: { title: 'Thanks', message: 'Bye {{name}}' },
          translations: {
            de: {
              fields: { head: { label: 'Hallo {{name}}' }, plan: { options: { team: 'Teamtarif' } } },
              thankYou: { message: 'Tschüss {{name}}' },
            },
          },
        },
      });
      const { page } = visit;
      const evil = '<img src=x onerror=alert(1)> **b** [l](https://x.example) {{day}} $&';
      await page.getByLabel('Name', { exact: true }).fill(evil);
      expect(await page.locator('legend').textContent()).toBe(`Plans of ${evil}`);
      await page.getByLabel('Free plan').check();
      await page.getByLabel('Teamtarif').check();
      await page.getByLabel('Day').fill('2026-03-14');
      await next(visit);
      expect(await page.locator('.heading').textContent()).toBe(`Hallo ${evil}`);
      expect(await page.locator('.prose strong').textContent()).toBe(evil);
      expect(await page.locator('.prose').textContent()).toBe(
        `${evil}: Free plan und Teamtarif, 14. März 2026`,
      );
      expect(await page.locator('small').textContent()).toBe(`Of ${evil}`);
      expect(await page.getByLabel('More').getAttribute('placeholder')).toBe(evil);
      expect(await page.locator('.consent').textContent()).toContain('I accept {{name}}');
      expect(await page.locator('.primary').textContent()).toBe(`Go, ${evil}`);
      await next(visit);
      await page.waitForSelector('.done');
      expect(await page.locator('.done p').textContent()).toBe(`Tschüss ${evil}`);
      expect(await page.locator('form img, .done img, form a, .done a').count()).toBe(0);
    });

    it('moves the focus on if its field disappears', async () => {
      const visit = await inline({
        fields: [
          { name: 'first', type: 'text', label: 'First', showIf: { field: 'last', equals: '' } },
          { name: 'middle', type: 'text', label: 'Middle' },
          { name: 'last', type: 'text', label: 'Last' },
        ],
      });
      const { page } = visit;
      await page.getByLabel('First').focus();
      await page.getByLabel('Last').evaluate((input: HTMLInputElement) => {
        input.value = 'filled in by the browser';
        input.dispatchEvent(new Event('input', { bubbles: true }));
      });
      expect(
        await page.evaluate(() => document.querySelector('svc-form')?.shadowRoot?.activeElement?.id),
      ).toBe('f1');
    });

    it('works in popups and on the hosted page, and in a language that is read from the right', async () => {
      const fields: FormField[] = [
        { name: 'name', type: 'text', label: 'Name' },
        { name: 'more', type: 'text', label: 'More', showIf: onlyIf('name', 'answered') },
      ];
      for (const placement of ['modal', 'slide-in', 'bar', 'fullscreen'] as const) {
        const visit = await fixture().visit({
          fields,
          fakeClock: false,
          popup: { trigger: 'click', selector: '#top' },
          settings: { placement },
        });
        await visit.page.click('#top');
        await visit.page.getByLabel('Name').fill('Ada');
        await visit.page.getByLabel('More').waitFor();
      }
      const { id } = await createForm(fixture().client, { fields });
      const page = await (await fixture().newContext({ locale: 'ar' })).newPage();
      await page.goto(`${fixture().baseUrl}/f/${id}`);
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('More').waitFor();
      expect(await page.locator('form + [role=status]').textContent()).toBe('ظهر الآن: More');
      expect(await violations(page)).toEqual([]);
    });

    it.each(['modal', 'slide-in', 'bar', 'fullscreen'] as const)(
      'adds no room to scroll to a %s for what it announces',
      async (placement) => {
        const { page } = await openedVisit(fixture(), {
          settings: { placement },
          fields: [
            { name: 'email', type: 'email' },
            { name: 'why', type: 'text', showIf: { field: 'email', equals: 'x' } },
          ],
        });
        const room = await page
          .locator('dialog')
          .evaluate((dialog) => [
            dialog.scrollWidth - dialog.clientWidth,
            dialog.scrollHeight - dialog.clientHeight,
          ]);
        expect(room).toEqual([0, 0]);
      },
    );

    it('loads its chunk only for forms that use it', async () => {
      const chunks = ({ requests }: Visit) => requests.filter((request) => request.includes('/embed/logic.'));
      expect(
        chunks(
          await inline({
            fields: [
              { name: 'a', type: 'text' },
              { name: 'b', type: 'text', step: 2 },
            ],
          }),
        ),
      ).toEqual([]);
      expect(
        chunks(
          await inline({
            fields: [
              { name: 'a', type: 'text' },
              { name: 'b', type: 'text', label: '{{a}}' },
            ],
          }),
        ),
      ).toHaveLength(1);
    });

    it('agrees with the server on what is shown and required, for random forms and answers', async () => {
      const { client, visit } = fixture();
      const { page, form: first } = await visit({ fakeClock: false });
      const cases = fc.sample(anyCase, { numRuns: Number(process.env['LOGIC_RUNS'] ?? 40), seed: 20 });
      for (const { fields, settings, answers } of cases) {
        const form = await createForm(client, { fields, settings });
        const data = JSON.parse(JSON.stringify(answers)) as Record<string, unknown>;
        const response = await client.post(`/api/forms/${form.id}/submissions`, { body: { data } });
        const [stored] = await submissions(form);
        const refused = (response.body.errors ?? []).map(({ pointer }) => pointer.replace('/data/', ''));
        const seen = await page.evaluate(fillIn, {
          form,
          answers: data,
          loader: `${new URL(fixture().baseUrl).origin}/embed.js`,
        });
        const found = await submissions(form);
        const filled = (values: Record<string, unknown> = {}) =>
          Object.fromEntries(Object.entries(values).filter(([, value]) => value !== false && value !== ''));
        const step = Math.min(
          ...refused.map((name) => fields.find((field) => field.name === name)?.step ?? 1),
        );
        const context = JSON.stringify({ fields, settings, data, seen });
        expect([context, response.status]).toEqual([context, refused.length > 0 ? 422 : 201]);
        expect([context, seen]).toEqual([
          context,
          refused.length > 0
            ? {
                wrong: refused.filter(
                  (name) => (fields.find((field) => field.name === name)?.step ?? 1) === step,
                ),
              }
            : { done: true },
        ]);
        if (refused.length === 0) {
          expect(found).toHaveLength(2);
          expect([context, filled(found[0]?.data)]).toEqual([context, filled(stored?.data)]);
        }
      }
      expect(first.id).toBeTruthy();
    }, 120_000);
  });
}

/**
 * Fills in a form in the page as a visitor would: what is shown, step by step, until the end or an
 * error.
 */
async function fillIn({
  form,
  answers,
  loader,
}: {
  form: FormOut;
  answers: Record<string, unknown>;
  loader: string;
}) {
  document.querySelectorAll('svc-form').forEach((host) => host.remove());
  const tag = document.createElement('script');
  tag.src = loader;
  tag.dataset['svcFormId'] = form.id;
  document.body.append(tag);
  const until = async <T>(find: () => T | null | undefined | false): Promise<T> => {
    for (;;) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const root = await until(() => document.querySelector('svc-form')?.shadowRoot);
  const inputsOf = (index: number) => [
    ...root.querySelectorAll<HTMLInputElement>(`#f${index}, [name="f${index}"]`),
  ];
  const isShown = (index: number) => {
    const [input] = inputsOf(index);
    return !!input && !input.closest('[hidden]');
  };
  for (;;) {
    const filled = new Set<number>();
    // Fields that appear meanwhile are filled in too, in any order.
    for (;;) {
      const index = form.fields.findIndex((_, at) => isShown(at) && !filled.has(at));
      if (index < 0) break;
      filled.add(index);
      const value = answers[form.fields[index]?.name ?? ''];
      if (value === undefined) continue;
      for (const input of inputsOf(index)) {
        if (/^(radio|checkbox)$/.test(input.type)) {
          input.checked =
            input.id === `f${index}` ? value === true : [value].flat().map(String).includes(input.value);
        } else input.value = String(value as string);
        input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      }
    }
    const before = form.fields.map((_, index) => isShown(index)).join();
    root.querySelector<HTMLElement>('.primary')?.click();
    const result = await until(() => {
      if (root.querySelector('.done')) return { done: true };
      const wrong = form.fields.filter((_, index) => isShown(index) && inputsOf(index)[0]?.closest('.wrong'));
      if (wrong.length) return { wrong: wrong.map(({ name }) => name) };
      return form.fields.map((_, index) => isShown(index)).join() !== before && { next: true };
    });
    if (!('next' in result)) return result;
  }
}

const OPTIONS = [{ value: 'a' }, { value: 'b' }, { value: 'c' }];
const TYPES = [
  'text',
  'number',
  'rating',
  'date',
  'time',
  'radio',
  'select',
  'checkboxes',
  'checkbox',
] as const;
type Type = (typeof TYPES)[number];

const VALUES: { readonly [T in Type]: fc.Arbitrary<string | number | boolean> } = {
  text: fc.constantFrom('x', 'xy', '5'),
  number: fc.integer({ min: 0, max: 3 }),
  rating: fc.integer({ min: 1, max: 5 }),
  date: fc.constantFrom('2026-03-14', '2026-03-15', '2026-12-01'),
  time: fc.constantFrom('09:00', '09:30', '17:00'),
  radio: fc.constantFrom('a', 'b', 'c'),
  select: fc.constantFrom('a', 'b', 'c'),
  checkboxes: fc.constantFrom('a', 'b', 'c'),
  checkbox: fc.boolean(),
};
const OPS: { readonly [T in Type]: readonly string[] } = {
  text: ['eq', 'ne', 'contains', 'answered'],
  number: ['eq', 'ne', 'gt', 'lt', 'answered'],
  rating: ['eq', 'ne', 'gt', 'lt', 'answered'],
  date: ['eq', 'ne', 'gt', 'lt', 'answered'],
  time: ['eq', 'ne', 'gt', 'lt', 'answered'],
  radio: ['eq', 'ne', 'answered'],
  select: ['eq', 'ne', 'answered'],
  checkboxes: ['eq', 'ne', 'contains', 'answered'],
  checkbox: ['eq', 'ne', 'answered'],
};

/** Conditions on some of these fields. */
function rule(sources: readonly FormField[]): fc.Arbitrary<NonNullable<FormField['showIf']>> {
  const condition = fc.constantFrom(...sources).chain(({ name, type }) =>
    fc.constantFrom(...OPS[type as Type]).chain((op) =>
      (op === 'answered' ? fc.option(fc.boolean(), { nil: undefined }) : VALUES[type as Type]).map(
        (value) => ({
          field: name,
          op,
          ...(value !== undefined && { value }),
        }),
      ),
    ),
  );
  const list = fc.array(condition, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    list.map((all) => ({ all })),
    list.map((any) => ({ any })),
  ) as fc.Arbitrary<NonNullable<FormField['showIf']>>;
}

const plain: fc.Arbitrary<FormField[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom(...TYPES),
      required: fc.boolean(),
      step: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 3, maxLength: 9 },
  )
  .map((fields) =>
    fields
      .toSorted((one, other) => one.step - other.step)
      .map((field, index) => ({
        name: `q${index}`,
        ...field,
        ...(/radio|select|checkboxes/.test(field.type) && { options: OPTIONS }),
      })),
  );

/** A form with conditions and jumps, and answers to some of its fields, shown or not. */
const anyCase = plain.chain((fields) => {
  const rules = fc.tuple(
    ...fields.map((_, index) =>
      index === 0 ? fc.constant(undefined) : fc.option(rule(fields.slice(0, index)), { nil: undefined }),
    ),
  );
  const steps = [...new Set(fields.map(({ step = 1 }) => step))];
  const jump = fc.constantFrom(...steps).chain((from) => {
    const targets = [...steps.filter((step) => step > from), 'end' as const];
    const when = rule(fields.filter(({ step = 1 }) => step <= from));
    return fc.record({
      from: fc.constant(from),
      to: fc.constantFrom(...targets),
      when: fc.option(when, { nil: undefined }),
    });
  });
  const answers = fc.tuple(
    ...fields.map(({ type }): fc.Arbitrary<unknown> =>
      fc.option<unknown>(
        // Browsers send choices in the order of the form.
        type === 'checkboxes' ? fc.subarray(['a', 'b', 'c'], { minLength: 1 }) : VALUES[type as Type],
        { nil: undefined },
      ),
    ),
  );
  return fc.record({ rules, jumps: fc.array(jump, { maxLength: 3 }), answers }).map((drawn) => ({
    fields: fields.map((field, index) => ({
      ...field,
      ...(drawn.rules[index] && { showIf: drawn.rules[index] }),
    })),
    settings: {
      keepDraft: false,
      jumps: JSON.parse(JSON.stringify(drawn.jumps)) as NonNullable<FormSettings['jumps']>,
    },
    answers: Object.fromEntries(fields.map(({ name }, index) => [name, drawn.answers[index]])),
  }));
});
