import type { FormField, StatsOut, SubmissionOut } from '@svcforms/contracts';
import { poll } from '@svcforms/test-kit';
import { openedVisit, pressEscape } from '../popup-visit.ts';
import { startSite } from '../site.ts';
import { scriptTag, type Fixture, type Visit, type VisitOptions } from '../fixture.ts';

export const ALL_FIELDS: FormField[] = [
  { name: 'text', type: 'text', label: 'Text', required: true, help: 'A word', placeholder: 'word' },
  { name: 'area', type: 'textarea', label: 'Area' },
  { name: 'email', type: 'email', label: 'E-mail' },
  { name: 'tel', type: 'tel', label: 'Phone' },
  { name: 'url', type: 'url', label: 'Site' },
  { name: 'number', type: 'number', label: 'Number', min: 1, max: 9 },
  { name: 'date', type: 'date', label: 'Date' },
  { name: 'time', type: 'time', label: 'Time' },
  { name: 'select', type: 'select', label: 'Select', options: [{ value: 'a', label: 'Ay' }, { value: 'b' }] },
  {
    name: 'radio',
    type: 'radio',
    label: 'Radio',
    options: [
      { value: 'a', label: 'R-A' },
      { value: 'b', label: 'R-B' },
    ],
  },
  {
    name: 'boxes',
    type: 'checkboxes',
    label: 'Boxes',
    options: [
      { value: 'x', label: 'B-X' },
      { value: 'y', label: 'B-Y' },
    ],
  },
  { name: 'box', type: 'checkbox', label: 'Box' },
  { name: 'rating', type: 'rating', label: 'Rating', max: 4 },
  { name: 'hidden', type: 'hidden', defaultValue: 'from the form' },
];

/** docs/reference/embed.md#form-rendering */
export function rendererScenarios(fixture: () => Fixture): void {
  const inline = async (options: VisitOptions = {}): Promise<Visit> => {
    const visit = await fixture().visit({
      fakeClock: false,
      body: '<h1>x</h1><p id="before">before</p>',
      ...options,
    });
    await visit.page.waitForSelector('form');
    return visit;
  };
  const submit = (visit: Visit) => visit.page.click('.primary');
  const submissions = async ({ form }: Visit): Promise<SubmissionOut[]> =>
    (await fixture().client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions`, { expect: 200 })).body
      .data;
  const submitted = async (visit: Visit): Promise<Record<string, unknown>> => {
    await submit(visit);
    await visit.page.waitForSelector('.done');
    return (await submissions(visit))[0]?.data ?? {};
  };

  describe('the renderer', () => {
    it('renders an inline form at the tag', async () => {
      const visit = await inline();
      const order = await visit.page.evaluate(() =>
        [...document.body.children].map(({ tagName }) => tagName),
      );
      expect(order).toEqual(['H1', 'P', 'SCRIPT', 'SVC-FORM']);
      expect(visit.counted).toEqual([]);
    });

    it('counts a view at a tag, in an element and on the hosted page, and none without consent', async () => {
      const { form, page, viewed, counted } = await inline({ body: '<p id="here"></p>' });
      await page.evaluate(`void SvcForms.render(here, '${form.id}')`);
      const hosted = await (await fixture().newContext()).newPage();
      await hosted.goto(`${fixture().baseUrl}/f/${form.id}`);
      await poll(
        async () => {
          const path = `/api/forms/${form.id}/stats`;
          const { body } = await fixture().client.get<StatsOut>(path, { expect: 200 });
          return body.data.at(-1)?.viewed === 3;
        },
        { what: 'three views' },
      );
      expect([viewed, counted]).toEqual([[form.id, form.id], []]);

      const popup = { enabled: false, trackingConsent: { cookie: 'c' } };
      const visitWith = (answer: string) =>
        inline({ settings: { popup }, init: `document.cookie = 'c=${answer}'` });
      const denied = await visitWith('no');
      const granted = await visitWith('yes');
      await poll(() => granted.viewed.length === 1, { what: 'the view with consent' });
      expect(denied.viewed).toEqual([]);
    });

    it('counts the submission of an inline form', async () => {
      const { form, page, submitted, counted } = await inline();
      const field = page.locator('svc-form input[type=email]');
      await field.fill('ada@example.com');
      await field.press('Enter');
      await poll(() => submitted.length > 0, { what: 'the count' });
      expect([submitted, counted]).toEqual([[form.id], []]);
    });

    it('is hidden and disabled with the elements around an inline form, unlike its popup', async () => {
      const { page, form } = await fixture().visit({
        fakeClock: false,
        body: '<h1>x</h1>',
        tags: (own, base) => `<main>${scriptTag(base, `data-svc-form-id="${own.id}"`)}</main>`,
      });
      const input = page.locator('main svc-form input[type=email]');
      await input.waitFor();
      const isOnTop = () =>
        input.evaluate((node) => {
          const { x, y } = node.getBoundingClientRect();
          return document.elementFromPoint(x + 5, y + 5)?.tagName === 'SVC-FORM';
        });
      expect(await isOnTop()).toBe(true);
      await page.addStyleTag({ content: 'main,body{pointer-events:none}' });
      expect(await isOnTop()).toBe(false);
      await page.addStyleTag({ content: 'main,body{visibility:hidden}' });
      expect(await input.isVisible()).toBe(false);
      await page.evaluate(`SvcForms.open('${form.id}')`);
      await page.click('dialog .close');
      expect(await page.locator('dialog').count()).toBe(0);
    });

    it('leaves Escape and Tab in an inline form to the page, and no other keys', async () => {
      const { page } = await inline({
        body: `<h1>x</h1><script>
          let keys = [];
          for (const type of ['keydown', 'keyup']) document.addEventListener(type, ({ key }) => keys.push(key));
        </script>`,
      });
      await page.locator('svc-form input[type=email]').focus();
      for (const key of ['a', 'Escape', 'Enter', 'Shift', 'Tab']) await page.keyboard.press(key);
      expect(await page.evaluate('keys')).toEqual(['Escape', 'Escape', 'Tab', 'Tab']);
    });

    it('accepts every field type and submits the values', async () => {
      const visit = await inline({ fields: ALL_FIELDS });
      const { page } = visit;
      await page.getByLabel('Text').fill('word');
      await page.getByLabel('Area').fill('two\nlines');
      await page.getByLabel('E-mail').fill('ada@example.com');
      await page.getByLabel('Phone').fill('+49 30 1234');
      await page.getByLabel('Site', { exact: true }).fill('https://example.com/x');
      await page.getByLabel('Number').fill('7.5');
      await page.getByLabel('Date').fill('2026-03-14');
      await page.getByLabel('Time').fill('09:26');
      await page.getByLabel('Select').selectOption('a');
      await page.getByLabel('R-B').check();
      await page.getByLabel('B-X').check();
      await page.getByLabel('B-Y').check();
      await page.getByLabel('Box', { exact: true }).check();
      await page.getByLabel('3').check();
      expect(await submitted(visit)).toEqual({
        text: 'word',
        area: 'two\nlines',
        email: 'ada@example.com',
        tel: '+49 30 1234',
        url: 'https://example.com/x',
        number: 7.5,
        date: '2026-03-14',
        time: expect.stringMatching(/^09:26/),
        select: 'a',
        radio: 'b',
        boxes: ['x', 'y'],
        box: true,
        rating: 3,
        hidden: 'from the form',
      });
    });

    it('starts with the default values', async () => {
      const visit = await inline({
        fields: [
          { name: 'a', type: 'text', defaultValue: 'A' },
          { name: 'b', type: 'checkboxes', options: [{ value: 'x' }, { value: 'y' }], defaultValue: ['y'] },
          { name: 'c', type: 'checkbox', defaultValue: true },
          { name: 'd', type: 'select', options: [{ value: 'x' }], defaultValue: 'x' },
          { name: 'e', type: 'rating', defaultValue: 4 },
          { name: 'f', type: 'checkbox', defaultValue: 'on' },
          { name: 'g', type: 'hidden', defaultValue: ['x', 'y'] },
        ],
      });
      expect(await submitted(visit)).toEqual({
        a: 'A',
        b: ['y'],
        c: true,
        d: 'x',
        e: 4,
        f: true,
        g: ['x', 'y'],
      });
    });

    it('accepts field names that every object has', async () => {
      const visit = await inline({
        fields: [
          { name: 'toString', type: 'text', label: 'Text' },
          { name: 'valueOf', type: 'hidden' },
          { name: 'email', type: 'email', label: 'E-mail' },
        ],
      });
      const { page } = visit;
      expect(await page.getByLabel('Text').inputValue()).toBe('');
      await page.getByLabel('E-mail').fill('ada@example');
      await submit(visit);
      await page.waitForSelector('.error:not(:empty)');
      expect(await page.locator('.error:not(:empty)').allTextContents()).toEqual([
        expect.stringMatching(/^E-mail must be/),
      ]);
      await page.getByLabel('E-mail').fill('ada@example.com');
      expect(await submitted(visit)).toEqual({ email: 'ada@example.com' });
    });

    it('ignores limits that the field type does not use', async () => {
      const visit = await inline({
        fields: [
          { name: 'number', type: 'number', label: 'Number', maxLength: 2 },
          {
            name: 'select',
            type: 'select',
            options: [{ value: 'large' }],
            maxLength: 2,
            defaultValue: 'large',
          },
        ],
      });
      await visit.page.getByLabel('Number').fill('12345');
      expect(await submitted(visit)).toEqual({ number: 12_345, select: 'large' });
    });

    it('ties labels, help and errors to their field and focuses the first invalid field', async () => {
      const { page } = await inline({ fields: ALL_FIELDS });
      await page.getByLabel('Number').fill('12');
      await page.click('.primary');
      const field = page.getByLabel('Text');
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      expect(
        await field.evaluate((input) => input === (input.getRootNode() as ShadowRoot).activeElement),
      ).toBe(true);
      const described = await field.evaluate((input) =>
        (input.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => (input.getRootNode() as ShadowRoot).getElementById(id)?.textContent),
      );
      expect(described).toEqual(['A word', expect.stringMatching(/./)]);
      expect(await page.getByLabel('Number').getAttribute('aria-invalid')).toBe('true');
      await field.fill('x');
      expect(await field.getAttribute('aria-invalid')).toBeNull();
    });

    it('says of each required field that it is, including groups', async () => {
      const options = [{ value: 'a' }, { value: 'b' }];
      const { page } = await inline({
        fields: (['text', 'select', 'radio', 'checkboxes', 'rating', 'checkbox'] as const).map((type) => ({
          name: type,
          type,
          required: true,
          ...(/^(select|radio|checkboxes)$/.test(type) && { options }),
        })),
      });
      for (const [role, name] of [
        ['textbox', 'text'],
        ['combobox', 'select'],
        ['checkbox', 'checkbox'],
      ] as const) {
        const input = page.getByRole(role, { name, exact: true });
        expect(await input.evaluate((one) => one.matches(':required'))).toBe(true);
      }
      for (const [role, name] of [
        ['radiogroup', 'radio *'],
        ['group', 'checkboxes *'],
        ['radiogroup', 'rating *'],
      ] as const)
        expect(await page.getByRole(role, { name, exact: true }).count()).toBe(1);
    });

    it('counts characters as the reader sees them', async () => {
      const visit = await inline({
        fields: [{ name: 'a', type: 'text', label: 'A', minLength: 2, maxLength: 3 }],
      });
      await visit.page.getByLabel(/^A/).fill('👋👋👋👋');
      await submit(visit);
      expect(await visit.page.locator('.error').first().textContent()).toMatch(/at most 3/);
      await visit.page.getByLabel(/^A/).fill('👋');
      await submit(visit);
      expect(await visit.page.locator('.error').first().textContent()).toMatch(/at least 2/);
      await visit.page.getByLabel(/^A/).fill('👋👋👋');
      expect(await submitted(visit)).toEqual({ a: '👋👋👋' });
    });

    it('shows errors of the server at their fields', async () => {
      const visit = await inline();
      // Browsers accept email addresses without a dot in the domain; the server doesn't.
      await visit.page.getByLabel('E-mail').fill('ada@example');
      await submit(visit);
      await visit.page.waitForSelector('.error:not(:empty)');
      expect(await visit.page.locator('.error').first().textContent()).toMatch(
        /^E-mail must be an email address/,
      );
      expect(await visit.page.inputValue('input[type=email]')).toBe('ada@example');
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      expect(await submitted(visit)).toEqual({ email: 'ada@example.com' });
    });

    it('shows and hides fields by showIf, through chains', async () => {
      const visit = await inline({
        fields: [
          { name: 'plan', type: 'radio', options: [{ value: 'free' }, { value: 'team' }] },
          {
            name: 'seats',
            type: 'number',
            label: 'Seats',
            required: true,
            showIf: { field: 'plan', equals: 'team' },
          },
          { name: 'why', type: 'text', label: 'Why', showIf: { field: 'seats', equals: 5 } },
        ],
      });
      const { page } = visit;
      expect(await page.getByLabel('Seats').isVisible()).toBe(false);
      await page.getByLabel('team').check();
      expect(await page.getByLabel('Seats').isVisible()).toBe(true);
      expect(await page.getByLabel('Why').isVisible()).toBe(false);
      await page.getByLabel('Seats').fill('5');
      await page.getByLabel('Why').fill('because');
      await page.getByLabel('free').check();
      expect(await page.getByLabel('Why').isVisible()).toBe(false);
      expect(await submitted(visit)).toEqual({ plan: 'free' });
    });

    it('evaluates showIf like the server, whatever the notation of the value', async () => {
      const shownIf = (field: string, equals: string | number) =>
        ({ type: 'text', required: true, showIf: { field, equals } }) as const;
      const visit = await inline({
        fields: [
          { name: 'box', type: 'checkbox', label: 'Box' },
          { name: 'a', label: 'If ticked', ...shownIf('box', 'yes') },
          { name: 'number', type: 'number', label: 'Number' },
          { name: 'b', label: 'If five', ...shownIf('number', '5') },
          { name: 'text', type: 'text', label: 'Text' },
          { name: 'c', label: 'If “5”', ...shownIf('text', 5) },
        ],
      });
      const { page } = visit;
      await page.getByLabel('Box').check();
      await page.getByLabel('Number').fill('5.0');
      await page.getByLabel('If ticked').fill('A');
      await page.getByLabel('If five').fill('B');
      await page.getByLabel('Text').fill('5.0');
      expect(await page.getByLabel('If “5”').isVisible()).toBe(false);
      await page.getByLabel('Text').fill('5');
      await page.getByLabel('If “5”').fill('C');
      expect(await submitted(visit)).toEqual({ box: true, a: 'A', number: 5, b: 'B', text: '5', c: 'C' });
    });

    it('skips a step without visible fields and restores it', async () => {
      const visit = await inline({
        fields: [
          { name: 'kind', type: 'radio', options: [{ value: 'short' }, { value: 'long' }], step: 1 },
          {
            name: 'more',
            type: 'text',
            label: 'More',
            required: true,
            showIf: { field: 'kind', equals: 'long' },
            step: 2,
          },
          { name: 'end', type: 'text', label: 'End', step: 3 },
        ],
      });
      const { page } = visit;
      const steps = () => page.locator('.steps').textContent();
      expect(await steps()).toBe('Step 1 of 2');
      await page.getByLabel('long').check();
      expect(await steps()).toBe('Step 1 of 3');
      await submit(visit);
      await page.getByLabel('More').fill('typed');
      await page.getByText('Back').click();
      await page.getByLabel('short').check();
      await submit(visit);
      expect(await page.getByLabel('End').isVisible()).toBe(true);
      expect(await steps()).toBe('Step 2 of 2');
      await page.getByLabel('End').fill('x');
      expect(await submitted(visit)).toEqual({ kind: 'short', end: 'x' });
    });

    it('enforces limits of numbers, dates and times before it submits', async () => {
      const visit = await inline({
        fields: [
          { name: 'number', type: 'number', label: 'Number', min: 2, max: 4 },
          { name: 'date', type: 'date', label: 'Date', min: '2026-01-01', max: '2026-12-31' },
          { name: 'time', type: 'time', label: 'Time', min: '09:00', max: '17:00' },
        ],
      });
      const { page } = visit;
      for (const [label, wrong, right] of [
        ['Number', '5', '3'],
        ['Number', '1', '4'],
        ['Date', '2025-12-31', '2026-01-01'],
        ['Date', '2027-01-01', '2026-12-31'],
        ['Time', '08:59', '09:00'],
        ['Time', '17:01', '17:00'],
      ] as const) {
        await page.getByLabel(label).fill(wrong);
        await submit(visit);
        expect(await page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
        await page.getByLabel(label).fill(right);
      }
      expect(visit.requests.filter((request) => /^POST .*\/submissions$/.test(request))).toEqual([]);
      expect(await submitted(visit)).toMatchObject({ number: 4, date: '2026-12-31' });
    });

    it('asks for the seconds of a time only if it has some', async () => {
      const visit = await inline({
        fields: [
          { name: 'start', type: 'time', label: 'Start' },
          { name: 'lap', type: 'time', label: 'Lap', defaultValue: '00:01:30' },
        ],
      });
      await visit.page.getByLabel('Start').focus();
      await visit.page.keyboard.type('1030AM');
      expect(await submitted(visit)).toEqual({ start: '10:30', lap: '00:01:30' });
    });

    it('shows errors that belong to no visible field', async () => {
      const visit = await inline({
        fields: [
          { name: 'email', type: 'email', label: 'E-mail' },
          { name: 'campaign', type: 'hidden', required: true },
        ],
      });
      await submit(visit);
      await visit.page.waitForSelector('.whole:not(:empty)');
      expect(await visit.page.locator('.whole').getAttribute('role')).toBe('alert');
      const elsewhere = await inline({ settings: { allowedOrigins: ['https://example.com'] } });
      await elsewhere.page.getByLabel('E-mail').fill('ada@example.com');
      await submit(elsewhere);
      await elsewhere.page.waitForSelector('.whole:not(:empty)');
      expect(await elsewhere.page.inputValue('input[type=email]')).toBe('ada@example.com');
    });

    it('navigates its steps back and forth with a progress bar', async () => {
      const visit = await inline({
        fields: [
          { name: 'a', type: 'text', label: 'A', required: true, step: 1 },
          { name: 'b', type: 'text', label: 'B', step: 2 },
          { name: 'c', type: 'text', label: 'C', step: 7 },
        ],
        settings: { submitLabel: 'Send it' },
      });
      const { page } = visit;
      const state = async () => [
        await page.locator('.steps').textContent(),
        await page.locator('.primary').textContent(),
        await page.getByText('Back').isVisible(),
      ];
      expect(await state()).toEqual(['Step 1 of 3', 'Next', false]);
      await submit(visit);
      expect((await state())[0]).toBe('Step 1 of 3');
      await page.getByLabel(/^A/).fill('1');
      await page.keyboard.press('Enter');
      expect(await state()).toEqual(['Step 2 of 3', 'Next', true]);
      await page.getByText('Back').click();
      expect(await page.getByLabel(/^A/).inputValue()).toBe('1');
      await submit(visit);
      await page.getByLabel('B', { exact: true }).fill('2');
      await submit(visit);
      expect(await state()).toEqual(['Step 3 of 3', 'Send it', true]);
      await page.getByLabel('C', { exact: true }).fill('3');
      expect(await submitted(visit)).toEqual({ a: '1', b: '2', c: '3' });
    });

    it('changes the step once for a double-click', async () => {
      const visit = await inline({
        fields: [
          { name: 'a', type: 'text', label: 'A', step: 1 },
          { name: 'b', type: 'text', label: 'B', step: 2 },
          { name: 'c', type: 'text', label: 'C', step: 3 },
        ],
      });
      const { page } = visit;
      const steps = () => page.locator('.steps').textContent();
      await page.dblclick('.primary');
      expect(await steps()).toBe('Step 2 of 3');
      await page.dblclick('.primary');
      expect(await steps()).toBe('Step 3 of 3');
      await page.getByText('Back').dblclick();
      expect(await steps()).toBe('Step 2 of 3');
      expect(visit.requests.filter((request) => /^POST .*\/submissions$/.test(request))).toEqual([]);
    });

    it('stores nothing that a bot submits and shows no error', async () => {
      const visit = await inline();
      expect(await visit.page.locator('.away').getAttribute('aria-hidden')).toBe('true');
      await visit.page.getByLabel('E-mail').fill('bot@example.com');
      await visit.page.evaluate(() => {
        const trap = document
          .querySelector('svc-form')
          ?.shadowRoot?.querySelector<HTMLInputElement>('[name=website]');
        if (trap) trap.value = 'http://spam.example';
      });
      await submit(visit);
      await visit.page.waitForSelector('.done');
      expect(await submissions(visit)).toEqual([]);
    });

    it('shows the thank-you message', async () => {
      const visit = await inline({ settings: { thankYou: { title: 'Merci', message: 'We will write.' } } });
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      await submitted(visit);
      expect(await visit.page.locator('.done').textContent()).toBe('MerciWe will write.');
      expect(
        await visit.page.evaluate(
          () => document.querySelector('svc-form')?.shadowRoot?.activeElement?.className,
        ),
      ).toBe('done ok');
    });

    it('redirects', async () => {
      const { url } = await startSite();
      const visit = await inline({ settings: { thankYou: { redirectUrl: `${url}/welcome` } } });
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      await submit(visit);
      await visit.page.waitForURL(`${url}/welcome`);
    });

    it('does not redirect a visitor who closes the popup before the response', async () => {
      const visit = await openedVisit(fixture(), {
        settings: { thankYou: { redirectUrl: 'https://example.com/thanks' } },
      });
      const { page } = visit;
      let isClosed = () => {};
      const closed = new Promise<void>((resolve) => (isClosed = resolve));
      await page.route('**/submissions', async (route) => {
        await closed;
        await route.continue();
      });
      await page.fill('svc-form input[type=email]', 'ada@example.com');
      const sent = page.waitForRequest('**/submissions');
      await page.click('.primary');
      await sent;
      await pressEscape(visit);
      // A redirect begins right after the event.
      const isLeaving = page.evaluate(
        () =>
          new Promise((resolve) => {
            const { navigation } = window as never as { navigation: EventTarget };
            navigation.addEventListener('navigate', () => resolve(true));
            document.addEventListener('svc:submitted', () => setTimeout(() => resolve(false)));
          }),
      );
      isClosed();
      await page.waitForResponse('**/submissions');
      await visit.pass(1);
      expect(await isLeaving).toBe(false);
    });

    it('lets the visitor try again if a request gets no response', async () => {
      const visit = await inline({
        // The minute of the first request passes in a tenth of a second.
        init: `const wait = AbortSignal.timeout;
          AbortSignal.timeout = (ms) => {
            AbortSignal.timeout = wait;
            return wait.call(AbortSignal, ms / 600);
          };`,
      });
      const { page } = visit;
      await page.route('**/submissions', () => {});
      await page.getByLabel('E-mail').fill('ada@example.com');
      await submit(visit);
      await page.waitForSelector('.whole:not(:empty)');
      await page.unroute('**/submissions');
      await submitted(visit);
      expect(await submissions(visit)).toHaveLength(1);
    });

    it('submits once, however often the button is pressed', async () => {
      const visit = await inline();
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      await visit.page.evaluate(() => {
        const button = document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLElement>('.primary');
        for (let i = 0; i < 5; i++) button?.click();
      });
      await visit.page.waitForSelector('.done');
      expect(await submissions(visit)).toHaveLength(1);
    });

    it('keeps input after a failed request and stores one submission on the retry', async () => {
      const visit = await inline();
      const { page } = visit;
      await page.getByLabel('E-mail').fill('ada@example.com');
      // The first request reaches the product, but its response is lost.
      let requests = 0;
      await page.route('**/submissions', async (route) => {
        requests += 1;
        if (requests > 1) return route.continue();
        await route.fetch();
        return route.abort();
      });
      await submit(visit);
      await page.waitForSelector('.whole:not(:empty)');
      expect(await page.inputValue('input[type=email]')).toBe('ada@example.com');
      await submit(visit);
      await page.waitForSelector('.done');
      expect(await submissions(visit)).toHaveLength(1);
    });

    it('stores one submission of a visitor who reloads after a lost response and sends it again', async () => {
      const visit = await inline();
      const { page } = visit;
      await page.getByLabel('E-mail').fill('ada@example.com');
      await page.route('**/submissions', async (route) => {
        await route.fetch();
        return route.abort();
      });
      await submit(visit);
      await page.waitForSelector('.whole:not(:empty)');
      await page.unroute('**/submissions');
      await page.reload();
      await page.waitForSelector('form');
      await submitted(visit);
      expect(await submissions(visit)).toHaveLength(1);
      // The next visitor of this tab sends something else.
      await page.reload();
      await page.getByLabel('E-mail').fill('ada@example.com');
      await submitted(visit);
      expect(await submissions(visit)).toHaveLength(2);
    });

    it('thanks no visitor if the response to the submission is not from the service', async () => {
      const visit = await inline();
      const { page } = visit;
      await page.getByLabel('E-mail').fill('ada@example.com');
      // The page of a firewall or a hotel, between the visitor and the service.
      await page.route('**/submissions', (route) =>
        route.fulfill({
          status: 200,
          contentType: 'text/html',
          headers: { 'access-control-allow-origin': '*' },
          body: '<p>Checking your browser</p>',
        }),
      );
      await submit(visit);
      await page.waitForSelector('.whole:not(:empty)');
      await page.unroute('**/submissions');
      await submitted(visit);
      expect(await submissions(visit)).toHaveLength(1);
    });

    it('names the page of the retry if the first request came from another page', async () => {
      const visit = await inline({ attributes: 'data-svc-page' });
      const { page } = visit;
      await page.getByLabel('E-mail').fill('ada@example.com');
      await page.route('**/submissions', (route) => route.abort());
      await submit(visit);
      await page.waitForSelector('.whole:not(:empty)');
      await page.unroute('**/submissions');
      await page.goto(new URL('/other', page.url()).href);
      await page.waitForSelector('form');
      await submitted(visit);
      const [submission] = await submissions(visit);
      expect(submission?.metadata.page).toBe(page.url());
    });

    it('sends a ticked choice whose value is empty', async () => {
      const options = [
        { value: '', label: 'No news' },
        { value: 'weekly', label: 'Weekly' },
      ];
      const visit = await inline({ fields: [{ name: 'news', type: 'checkboxes', label: 'News', options }] });
      await visit.page.getByLabel('No news').check();
      expect(await submitted(visit)).toEqual({ news: [''] });
    });

    it('keeps input across a reload until it is submitted', async () => {
      const visit = await inline();
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      await visit.page.reload();
      await visit.page.waitForSelector('form');
      expect(await visit.page.inputValue('input[type=email]')).toBe('ada@example.com');
      await submitted(visit);
      await visit.page.reload();
      await visit.page.waitForSelector('form');
      expect(await visit.page.inputValue('input[type=email]')).toBe('');
    });

    it('keeps only what the visitor changed, and takes the rest from the URL again', async () => {
      const visit = await inline({
        path: '/?plan=free',
        attributes: 'data-svc-prefill',
        fields: [
          { name: 'plan', type: 'text', label: 'Plan' },
          { name: 'email', type: 'email', label: 'E-mail', defaultValue: 'you@example.com' },
          { name: 'note', type: 'text', label: 'Note', defaultValue: 'none' },
        ],
      });
      const { page, site } = visit;
      await page.getByLabel('E-mail').fill('ada@example.com');
      await page.getByLabel('Note').fill('');
      await page.goto(`${site.url}/?plan=team&email=grace@example.com`);
      await page.waitForSelector('form');
      expect(await submitted(visit)).toEqual({ plan: 'team', email: 'ada@example.com' });
    });

    it('restores a consent only to the text that was agreed to', async () => {
      const terms = { name: 'terms', type: 'consent', label: 'Old terms' } as const;
      const visit = await inline({ fields: [terms] });
      const { page, form } = visit;
      await page.check('[type=checkbox]');
      await page.reload();
      await page.waitForSelector('form');
      expect(await page.isChecked('[type=checkbox]')).toBe(true);
      await page.route(`**/embed/forms/${form.id}.json`, async (route) => {
        const response = await route.fetch();
        const json = { ...(await response.json()), fields: [{ ...terms, label: 'New terms' }] };
        await route.fulfill({ response, json });
      });
      await page.reload();
      await page.getByText('New terms').waitFor();
      expect(await page.isChecked('[type=checkbox]')).toBe(false);
    });

    it('shows no pointer if a newer version of the form refuses a field that it lacks', async () => {
      const visit = await inline({ fields: [{ name: 'email', type: 'email', label: 'E-mail' }] });
      const { page, form } = visit;
      const fields = [...form.fields, { name: 'phone', type: 'tel', required: true }];
      await fixture().client.put(`/api/forms/${form.id}`, { body: { ...form, fields }, expect: 200 });
      await submit(visit);
      expect(await page.locator('.whole:not(:empty)').textContent()).toBe(
        'Please check your answers. If the form has changed, reload the page.',
      );
    });

    it('keeps the input of a form that is twice on the page', async () => {
      const visit = await inline({
        fields: ['a', 'b'].map((name) => ({ name, type: 'text', label: name })),
        tags: (form, base) => scriptTag(base, `data-svc-form-id="${form.id}"`).repeat(2),
      });
      const { page } = visit;
      const input = (form: number, field: number) =>
        page.locator('svc-form').nth(form).locator('input.text').nth(field);
      await input(1, 0).waitFor();
      await input(0, 0).fill('in the first');
      await input(1, 1).fill('in the second');
      await page.reload();
      await input(0, 1).waitFor();
      expect([await input(0, 0).inputValue(), await input(0, 1).inputValue()]).toEqual([
        'in the first',
        'in the second',
      ]);
    });

    it('keeps no input when the form disables drafts', async () => {
      const visit = await inline({ settings: { keepDraft: false } });
      await visit.page.getByLabel('E-mail').fill('ada@example.com');
      await visit.page.reload();
      await visit.page.waitForSelector('form');
      expect(await visit.page.inputValue('input[type=email]')).toBe('');
    });

    it('reads values and the page from the URL only when the tag allows it', async () => {
      const path = '/p?email=grace%40example.com';
      const visit = await inline({ path, attributes: 'data-svc-prefill data-svc-page' });
      expect(await visit.page.inputValue('input[type=email]')).toBe('grace@example.com');
      await submitted(visit);
      expect((await submissions(visit))[0]?.metadata.page).toBe(`${visit.site.url}${path}`);
      const plain = await inline({ path });
      expect(await plain.page.inputValue('input[type=email]')).toBe('');
      await plain.page.getByLabel('E-mail').fill('ada@example.com');
      await submitted(plain);
      expect((await submissions(plain))[0]?.metadata).not.toHaveProperty('page');
    });

    it('takes ticks and choices from the URL, and keeps its own where it has no such choice', async () => {
      const options = [{ value: 'a' }, { value: 'b' }];
      const types = ['select', 'radio', 'checkboxes'] as const;
      const visit = await inline({
        path: '/?on=on&one=1&yes=Yes&no=0&odd=maybe&select=b&radio=b&checkboxes=b&checkboxes=c&oldselect=c&oldradio=c&oldcheckboxes=c&rating=9',
        attributes: 'data-svc-prefill',
        fields: [
          ...['on', 'one', 'yes'].map((name) => ({ name, type: 'checkbox' as const })),
          ...['no', 'odd'].map((name) => ({ name, type: 'checkbox' as const, defaultValue: true })),
          ...types.map((type) => ({ name: type, type, options })),
          ...types.map((type) => ({ name: `old${type}`, type, options, defaultValue: 'a' })),
          { name: 'rating', type: 'rating', defaultValue: 4 },
        ],
      });
      expect(await submitted(visit)).toEqual({
        on: true,
        one: true,
        yes: true,
        no: false,
        odd: true,
        select: 'b',
        radio: 'b',
        checkboxes: ['b'],
        oldselect: 'a',
        oldradio: 'a',
        oldcheckboxes: ['a'],
        rating: 4,
      });
    });

    it('keeps its own number, date and time where the URL has none, and takes an empty one', async () => {
      const visit = await inline({
        path: '/?number=abc&date=tomorrow&time=25:00&good=7&none=',
        attributes: 'data-svc-prefill',
        fields: [
          { name: 'number', type: 'number', defaultValue: 5 },
          { name: 'date', type: 'date', defaultValue: '2026-11-28' },
          { name: 'time', type: 'time', defaultValue: '12:30' },
          { name: 'good', type: 'number', defaultValue: 5 },
          { name: 'none', type: 'number', defaultValue: 5 },
        ],
      });
      expect(await submitted(visit)).toEqual({ number: 5, date: '2026-11-28', time: '12:30', good: 7 });
    });

    it('follows its theme, with legible text on every accent color', async () => {
      for (const [accent, on] of [
        ['#ffee00', 'rgb(0, 0, 0)'],
        ['#1a1a5e', 'rgb(255, 255, 255)'],
      ] as const) {
        const { page } = await inline({
          settings: { theme: { accent, background: '#202124', radius: 12, font: 'Georgia, serif' } },
        });
        const style = await page.evaluate(() => {
          const root = document.querySelector('svc-form')?.shadowRoot;
          const button = getComputedStyle(root?.querySelector('.primary') as Element);
          const box = getComputedStyle(root?.querySelector('.root') as Element);
          return [
            button.color,
            box.backgroundColor,
            box.color,
            box.borderRadius,
            box.fontFamily,
            box.colorScheme,
          ];
        });
        expect(style).toEqual([
          on,
          'rgb(32, 33, 36)',
          'rgb(255, 255, 255)',
          '12px',
          'Georgia, serif',
          'dark',
        ]);
      }
    });
  });

  describe('the hosted page', () => {
    it('shows only the form, even a popup form', async () => {
      const { form, context } = await fixture().visit({
        popup: { trigger: 'delay', delayMs: 1 },
        fakeClock: false,
        name: 'A & <b>',
      });
      const page = await context.newPage();
      const violations: string[] = [];
      page.on('console', (message) => violations.push(message.text()));
      await page.goto(`${fixture().baseUrl}/f/${form.id}?email=ada%40example.com`);
      await page.waitForSelector('form');
      expect(await page.title()).toBe('A & <b>');
      expect(await page.locator('h1').textContent()).toBe('A & <b>');
      expect(await page.locator('dialog').count()).toBe(0);
      expect(await page.inputValue('input[type=email]')).toBe('ada@example.com');
      await page.click('.primary');
      await page.waitForSelector('.done');
      expect(violations).toEqual([]);
    });

    it('states without JavaScript that it needs it', async () => {
      const { form } = await fixture().visit({ fakeClock: false });
      const page = await (await fixture().newContext({ javaScriptEnabled: false })).newPage();
      expect((await page.goto(`${fixture().baseUrl}/f/${form.id}`))?.status()).toBe(200);
      expect(await page.locator('main').textContent()).toContain('This form needs JavaScript');
    });

    it('works in an iframe of another site', async () => {
      const { form } = await fixture().visit({ fakeClock: false });
      const visit = await fixture().visit({
        form,
        tags: (_, base) => `<iframe src="${base}/f/${form.id}" style="width:600px;height:500px"></iframe>`,
        body: '<h1>x</h1>',
        fakeClock: false,
      });
      const frame = visit.page.frameLocator('iframe');
      await frame.locator('input[type=email]').fill('ada@example.com');
      await frame.locator('.primary').click();
      await frame.locator('.done').waitFor();
      await poll(async () => (await submissions(visit)).length === 1, { what: 'the submission' });
    });
  });
}
