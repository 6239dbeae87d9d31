import type { FormField, FormSettings } from '@svcforms/contracts';
import { poll, root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { Fixture, Visit, VisitOptions } from '../fixture.ts';
import { openSoon, pressEscape, SOON, submitEmail } from '../popup-visit.ts';

/** Runs in the page before its scripts: keeps the events and what stands in the data layer. */
const KEEP_EVENTS = `window.heard = [];
  for (const type of ['shown', 'step', 'submitted', 'declined', 'closed', 'error'])
    document.addEventListener('svc:' + type, ({ detail }) => heard.push({ type, ...detail }));`;

const PAGE = '<h1>x</h1><div style="height:3000px"></div>';
const POPUPS = ['modal', 'slide-in', 'bar', 'fullscreen'] as const;
const STEPS: FormField[] = [
  { name: 'email', type: 'email', label: 'E-mail', required: true },
  { name: 'note', type: 'text', label: 'Note', step: 2 },
];
const SECRET = 'ada@example.com';
/** What the guide puts into a tag of the type Custom HTML. */
const [, RECIPE = ''] =
  /```html\n([^]*?)```/.exec(readFileSync(`${root}docs/guides/tag-manager.md`, 'utf8')) ?? [];

/** Runs in the page: adds HTML as Google Tag Manager does, which leaves out `data-` attributes. */
function addCustomHtml(html: string): void {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const { attributes, text } of parsed.querySelectorAll('script')) {
    const script = document.createElement('script');
    for (const { name, value } of attributes) if (!name.startsWith('data-')) script.setAttribute(name, value);
    script.text = text;
    document.body.append(script);
  }
}

interface Heard {
  type: string;
  formId: string;
  placement: string;
  [more: string]: unknown;
}

/** docs/reference/embed.md#events */
export function eventScenarios(fixture: () => Fixture): void {
  const visit = (options: VisitOptions = {}) =>
    fixture().visit({ body: PAGE, init: KEEP_EVENTS, ...options });
  const heard = ({ page }: Visit) => page.evaluate(() => (window as never as { heard: Heard[] }).heard);
  const typesOf = async (one: Visit) => (await heard(one)).map(({ type }) => type);
  const waitFor = (one: Visit, type: string) =>
    poll(async () => (await typesOf(one)).includes(type), { what: `the event svc:${type}` });

  describe('events', () => {
    it.each(POPUPS)('of a %s come once each, without what the visitor typed', async (placement) => {
      const settings: FormSettings = placement === 'modal' ? {} : { placement };
      const one = await visit({ popup: SOON, settings });
      await openSoon(one);
      await submitEmail(one);
      await pressEscape(one);
      const source = { formId: one.form.id, placement };
      expect(await heard(one)).toEqual([
        { type: 'shown', ...source },
        { type: 'submitted', ...source, submissionId: expect.stringMatching(/^sub_/) },
        { type: 'closed', ...source, reason: 'submitted' },
      ]);
      expect(JSON.stringify(await heard(one))).not.toContain(SECRET);
      const [, { submissionId }] = (await heard(one)) as [Heard, Heard];
      const { body } = await fixture().client.get<{ id: string }>(`/api/submissions/${String(submissionId)}`);
      expect(body.data.id).toBe(submissionId);
    });

    it('of an inline form come at its tag', async () => {
      const one = await visit();
      await waitFor(one, 'shown');
      await submitEmail(one);
      expect(await heard(one)).toEqual([
        { type: 'shown', formId: one.form.id, placement: 'inline' },
        expect.objectContaining({ type: 'submitted', placement: 'inline' }),
      ]);
    });

    it('of a hosted page come in that page', async () => {
      const { form } = await visit({ tags: () => '' });
      const page = await (await fixture().newContext()).newPage();
      await page.addInitScript(KEEP_EVENTS);
      await page.goto(`${fixture().baseUrl}/f/${form.id}`);
      await page.waitForSelector('svc-form form');
      expect(await page.evaluate('heard')).toEqual([{ type: 'shown', formId: form.id, placement: 'hosted' }]);
    });

    it('say that the visitor declined or dismissed the popup, or that a script closed it', async () => {
      const popup = { ...SOON, decline: { enabled: true, suppressDays: 0 }, frequencyDays: 0 };
      const one = await visit({ popup });
      await openSoon(one);
      await one.page.click('dialog .buttons >> text=No thanks');
      const open = () => one.page.evaluate(`SvcForms.open('${one.form.id}')`);
      await open();
      await pressEscape(one);
      await open();
      await one.page.evaluate('SvcForms.close()');
      expect((await heard(one)).map(({ type, reason }) => [type, reason].filter(Boolean).join(' '))).toEqual([
        'shown',
        'declined',
        'closed declined',
        'shown',
        'closed dismissed',
        'shown',
        'closed script',
      ]);
    });

    it.each(POPUPS)('say that a %s is shown before a handler of that closes it', async (placement) => {
      const settings: FormSettings = placement === 'modal' ? {} : { placement };
      const close = `document.addEventListener('svc:shown', () => SvcForms.close());`;
      const one = await visit({ popup: SOON, settings, init: `${KEEP_EVENTS} ${close}` });
      await one.pass(2 * SOON.delayMs);
      await waitFor(one, 'closed');
      expect(await typesOf(one)).toEqual(['shown', 'closed']);
      expect((await heard(one)).at(-1)).toMatchObject({ reason: 'script' });
      await one.expectClosed();
    });

    it('say that the form was submitted, even when a handler of that closes it', async () => {
      const close = `document.addEventListener('svc:submitted', () => SvcForms.close());`;
      const one = await visit({ popup: SOON, init: `${KEEP_EVENTS} ${close}` });
      await openSoon(one);
      await one.page.fill('svc-form input[type=email]', SECRET);
      await one.page.click('.primary');
      await waitFor(one, 'closed');
      expect((await heard(one)).at(-1)).toMatchObject({ type: 'closed', reason: 'submitted' });
      await poll(() => one.counted.length === 2, { what: 'the conversion' });
      expect(one.counted).toEqual(['shown', 'converted']);
    });

    it('say the step, and which fields are refused, by the browser or the service', async () => {
      const one = await visit({ fields: STEPS });
      const { page } = one;
      await page.waitForSelector('svc-form form');
      await page.click('.primary');
      await page.fill('input[type=email]', SECRET);
      await page.click('.primary');
      await page.click('text=Back');
      await page.click('.primary');
      await page.route('**/submissions', (route) => route.abort());
      await page.click('.primary');
      await waitFor(one, 'error');
      await poll(async () => (await heard(one)).length === 6, { what: 'six events' });
      const source = { formId: one.form.id, placement: 'inline' };
      expect(await heard(one)).toEqual([
        { type: 'shown', ...source },
        { type: 'error', ...source, code: 'VALIDATION_FAILED', fields: ['email'] },
        { type: 'step', ...source, step: 2, index: 1, steps: 2 },
        { type: 'step', ...source, step: 1, index: 0, steps: 2 },
        { type: 'step', ...source, step: 2, index: 1, steps: 2 },
        { type: 'error', ...source, code: 'NETWORK', fields: [] },
      ]);
      await page.unroute('**/submissions');
      await fixture().client.put(`/api/forms/${one.form.id}`, {
        body: { name: one.form.name, fields: [...STEPS, { name: 'age', type: 'number', required: true }] },
      });
      await page.click('.primary');
      await poll(async () => (await heard(one)).length === 7, { what: 'the refusal' });
      expect((await heard(one)).at(-1)).toMatchObject({ type: 'error', code: 'VALIDATION_FAILED' });
    });

    it('carry the values if the tag says so', async () => {
      const one = await visit({ attributes: 'data-svc-share-values' });
      await submitEmail(one);
      expect((await heard(one)).at(-1)).toMatchObject({ type: 'submitted', data: { email: SECRET } });
    });
  });

  describe('the data layer', () => {
    const layer = ({ page }: Visit, name = 'dataLayer') =>
      page.evaluate(
        (key) =>
          ((window as never as Record<string, { event?: string }[] | undefined>)[key] ?? []).filter(
            ({ event }) => event,
          ),
        name,
      );

    it('gets the events of tags that say so, even under another name', async () => {
      const one = await visit({ attributes: 'data-svc-data-layer' });
      await submitEmail(one);
      await poll(async () => (await layer(one)).length === 2, { what: 'the entries' });
      const source = { formId: one.form.id, placement: 'inline' };
      expect(await layer(one)).toEqual([
        { event: 'svc:shown', ...source },
        { event: 'svc:submitted', ...source, submissionId: expect.any(String) },
      ]);
      const other = await visit({ attributes: 'data-svc-data-layer="events"', form: one.form });
      await poll(async () => (await layer(other, 'events')).length === 1, { what: 'the entry' });
      expect(await layer(other)).toEqual([]);
    });

    it('gets nothing without the attribute, nor without consent; the events come anyway', async () => {
      const plain = await visit();
      await waitFor(plain, 'shown');
      expect(await layer(plain)).toEqual([]);
      const popup = { ...SOON, trackingConsent: { cookie: 'agreed' } };
      const asked = await visit({
        popup,
        attributes: 'data-svc-data-layer',
        init: `${KEEP_EVENTS} document.cookie = 'agreed=no';`,
      });
      await openSoon(asked);
      await submitEmail(asked);
      expect(await typesOf(asked)).toEqual(['shown', 'submitted']);
      expect(await layer(asked)).toEqual([]);
      await asked.page.evaluate(() => void (document.cookie = 'agreed=yes'));
      await pressEscape(asked);
      await poll(async () => (await layer(asked)).length === 1, { what: 'the entry' });
      expect(await layer(asked)).toMatchObject([{ event: 'svc:closed', reason: 'submitted' }]);
    });

    it.each([
      ['popup', SOON],
      ['form in the page', undefined],
    ])('gets the events of a %s that a tag manager adds late, as the guide says', async (_, popup) => {
      const one = await visit({ ...(popup && { popup }), isUnarmed: true, tags: () => '' });
      await one.page.waitForLoadState('load');
      const recipe = RECIPE.replace('https://forms.example.com', fixture().baseUrl).replace(
        'frm_…',
        one.form.id,
      );
      await one.arm(() => one.page.evaluate(addCustomHtml, recipe));
      // Tag managers can be set up to fire again on history changes.
      if (popup) await one.page.evaluate(addCustomHtml, recipe);
      if (popup) await openSoon(one);
      await submitEmail(one);
      await poll(async () => (await layer(one)).length === 2, { what: 'the entries' });
      const source = { formId: one.form.id, placement: popup ? 'modal' : 'inline' };
      expect(await layer(one)).toEqual([
        { event: 'svc:shown', ...source },
        { event: 'svc:submitted', ...source, submissionId: expect.any(String) },
      ]);
      expect(await one.page.locator('svc-form').count()).toBe(1);
      expect(one.problems).toEqual([]);
    });
  });
}
