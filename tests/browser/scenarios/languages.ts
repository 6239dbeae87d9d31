import {
  CATALOGS,
  LANGUAGES,
  type FormField,
  type FormSettings,
  type Language,
  type SubmissionOut,
} from '@svcforms/contracts';
import type { Page } from 'playwright-core';
import { violations } from '../accessibility.ts';
import type { Fixture, Visit, VisitOptions } from '../fixture.ts';
import { openedVisit, SOON } from '../popup-visit.ts';

/** Arabic letters only, so that every Latin letter in the form is a mistake. */
const OWN = 'نص';
/** What a form without its translation would show. */
const ORIGINAL = 'Original';

const options = [{ value: '1', label: ORIGINAL }, { value: '2' }];
const texts = { label: ORIGINAL, help: ORIGINAL };
const FIELDS: FormField[] = [
  { name: 'heading', type: 'heading', label: ORIGINAL },
  { name: 'paragraph', type: 'paragraph', label: `${ORIGINAL} [${ORIGINAL}](https://example.com)` },
  { name: 'image', type: 'image', src: 'https://example.com/a.png', alt: ORIGINAL },
  { name: 'divider', type: 'divider' },
  { name: 'text', type: 'text', ...texts, placeholder: ORIGINAL, required: true },
  { name: 'short', type: 'text', ...texts, minLength: 3 },
  { name: 'long', type: 'textarea', ...texts, maxLength: 2 },
  { name: 'email', type: 'email', ...texts },
  { name: 'url', type: 'url', ...texts },
  { name: 'tel', type: 'tel', ...texts },
  { name: 'number', type: 'number', ...texts, min: 5 },
  { name: 'most', type: 'number', ...texts, max: 5 },
  { name: 'date', type: 'date', ...texts, min: '2026-03-01' },
  { name: 'day', type: 'date', ...texts, max: '2026-03-01' },
  { name: 'time', type: 'time', ...texts, max: '10:00' },
  { name: 'select', type: 'select', ...texts, options, required: true },
  { name: 'radio', type: 'radio', ...texts, options, required: true },
  { name: 'boxes', type: 'checkboxes', ...texts, options, required: true },
  { name: 'box', type: 'checkbox', ...texts, required: true },
  { name: 'rating', type: 'rating', ...texts, required: true },
  { name: 'consent', type: 'consent', ...texts, required: true },
  { name: 'server', type: 'email', ...texts, step: 2 },
];

/** Every text of the fields above in one language. */
const TRANSLATION: NonNullable<FormSettings['translations']>['ar'] = {
  title: OWN,
  intro: OWN,
  fields: Object.fromEntries(
    FIELDS.map(({ name, type, help, placeholder, alt, options: choices }) => [
      name,
      {
        ...(type !== 'divider' && type !== 'image' && { label: OWN }),
        ...(help && { help: OWN }),
        ...(placeholder && { placeholder: OWN }),
        ...(alt && { alt: OWN }),
        ...(choices && { options: { 1: OWN, 2: OWN } }),
      },
    ]),
  ),
};
/** In languages with Latin letters, the translations need letters of their own kind. */
const settingsFor = (language: Language): FormSettings => ({ translations: { [language]: TRANSLATION } });

/** All texts in the form: of nodes, and of attributes that are read out or shown. */
const textsIn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('svc-form')?.shadowRoot;
    const found: string[] = [];
    for (const node of root?.querySelectorAll('*') ?? []) {
      for (const name of [
        'aria-label',
        'title',
        'alt',
        'placeholder',
        'aria-roledescription',
        'aria-valuetext',
      ])
        found.push(node.getAttribute(name) ?? '');
      for (const child of node.childNodes) if (child instanceof Text) found.push(child.data);
    }
    return found.map((text) => text.trim()).filter(Boolean);
  });

const flat = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat);
/** The parts of the English texts between their placeholders. */
const ENGLISH = flat(CATALOGS.en)
  .flatMap((text) => text.split(/{\w+}/))
  .map((text) => text.trim())
  .filter((text) => /\w{3}/.test(text));

async function expectNoEnglish(page: Page, language: Language): Promise<void> {
  const shown = await textsIn(page);
  expect(shown.length).toBeGreaterThan(0);
  expect(
    shown.filter((text) => text.includes(ORIGINAL) || ENGLISH.some((english) => text.includes(english))),
  ).toEqual([]);
  if (['ja', 'zh-CN', 'ar'].includes(language))
    // Japanese says URL, too.
    expect(shown.filter((text) => /[A-Za-z]/.test(text.replaceAll('URL', '')))).toEqual([]);
}

/** docs/reference/embed.md#language */
export function languageScenarios(fixture: () => Fixture): void {
  const inline = async (options: VisitOptions = {}): Promise<Visit> => {
    const visit = await fixture().visit({ fakeClock: false, body: '<h1>x</h1>', ...options });
    await visit.page.waitForSelector('form');
    return visit;
  };
  const submitLabel = ({ page }: Visit) => page.locator('.primary').textContent();

  describe('the language of a form', () => {
    const page = (lang: string) => `<script>document.documentElement.lang = '${lang}'</script>`;
    const german = { contextOptions: { locale: 'de-AT' }, head: page('') };

    it.each([
      ['the tag', { ...german, attributes: 'data-svc-lang="fr-CA"', head: page('it') }, 'fr'],
      [
        'the page, if the tag has an unknown one',
        { ...german, attributes: 'data-svc-lang="x_"', head: page('it') },
        'it',
      ],
      ['the browser, if the page has another Chinese', { ...german, head: page('zh-TW') }, 'de'],
      ['the browser, if nobody says', german, 'de'],
      ['English, if nobody speaks another', { contextOptions: { locale: 'sv-SE' }, head: page('sv') }, 'en'],
    ] as const)('is that of %s', async (_, options, language) => {
      const visit = await inline(options);
      expect(await submitLabel(visit)).toBe(CATALOGS[language].browser.submit);
      expect(await visit.page.locator('svc-form .root').getAttribute('lang')).toBe(language);
      expect(visit.problems).toEqual([]);
    });

    it.each([
      ['ltr', 'ar'],
      ['rtl', 'de'],
    ])('lets no page that runs %s scroll sideways: %s', async (dir, language) => {
      const { page: shown } = await inline({
        head: `<script>document.documentElement.dir = '${dir}'</script>`,
        attributes: `data-svc-lang="${language}"`,
        fields: [
          { name: 'email', type: 'email' },
          { name: 'why', type: 'text', showIf: { field: 'email', equals: 'x' } },
        ],
      });
      await shown.locator('svc-form .root .away').first().waitFor({ state: 'attached' });
      expect(
        await shown.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBe(0);
    });

    it('is that of the part of the page in which the tag is', async () => {
      const visit = await inline({
        tags: (form, base) =>
          `<section lang="nl"><script src="${base}/embed.js" data-svc-form-id="${form.id}"></script></section>`,
      });
      expect(await submitLabel(visit)).toBe('Verzenden');
    });

    it('is English if its catalog does not load', async () => {
      const context = await fixture().newContext();
      await context.route(/\/embed\/de\.[0-9a-f]+\.js/, (route) => route.abort());
      const visit = await inline({ context, attributes: 'data-svc-lang="de"' });
      expect(await submitLabel(visit)).toBe('Submit');
      await visit.page.click('.primary');
      expect(await visit.page.locator('.error').first().textContent()).toBe('Please fill out this field.');
    });

    it('is simple English if no catalog loads', async () => {
      const context = await fixture().newContext();
      await context.route(/\/embed\/(de|en)\.[0-9a-f]+\.js/, (route) => route.abort());
      const visit = await inline({ context, attributes: 'data-svc-lang="de"' });
      await visit.page.fill('input[type=email]', 'ada');
      await visit.page.click('.primary');
      expect(await visit.page.locator('.error').first().textContent()).toBe('Please fill out this field.');
    });

    it('is sent and stored, and values stay the same', async () => {
      const visit = await inline({
        ...german,
        fields: [
          { name: 'size', type: 'select', label: 'Size', options },
          { name: 'terms', type: 'consent', label: 'I agree' },
        ],
        settings: {
          translations: {
            de: { fields: { size: { options: { 1: 'Klein' } }, terms: { label: 'Ich stimme zu' } } },
          },
        },
      });
      const { page, form } = visit;
      await page.getByLabel('Size').selectOption('Klein');
      await page.getByLabel('Ich stimme zu').check();
      await page.click('.primary');
      await page.waitForSelector('.done');
      const { body } = await fixture().client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions`, {
        expect: 200,
      });
      expect(body.data[0]).toMatchObject({
        data: { size: '1', terms: { accepted: true, text: 'Ich stimme zu' } },
        metadata: { language: 'de' },
      });
    });
  });

  describe.each(LANGUAGES.filter((language) => language !== 'en'))('a form in %s', (language) => {
    it('has no English text in any state', async () => {
      const visit = await openedVisit(fixture(), {
        name: ORIGINAL,
        fields: FIELDS,
        settings: settingsFor(language),
        popup: { ...SOON, decline: { enabled: true } },
        attributes: `data-svc-lang="${language}"`,
        fakeClock: true,
      });
      const { page } = visit;
      await expectNoEnglish(page, language);
      // Everything is missing.
      await page.click('.primary');
      await expectNoEnglish(page, language);
      const errors = () => page.locator('.error:not(:empty)').count();
      expect(await errors()).toBe(7);
      // Everything is invalid.
      const fill = (name: string, value: string) =>
        page.locator(`#f${FIELDS.findIndex((field) => field.name === name)}`).fill(value);
      for (const [name, value] of Object.entries({
        text: '1',
        short: '1',
        long: '123',
        email: '1',
        url: '1',
        number: '1',
        most: '9',
        date: '2020-01-01',
        day: '2030-01-01',
        time: '11:00',
      }))
        await fill(name, value);
      await page.click('.primary');
      await expectNoEnglish(page, language);
      expect(await errors()).toBe(15);
      // The second step, with an answer that only the server refuses.
      for (const [name, value] of Object.entries({
        short: '123',
        long: '1',
        email: '',
        url: '',
        number: '5',
        most: '5',
        date: '2026-03-01',
        day: '2026-03-01',
        time: '09:00',
      }))
        await fill(name, value);
      await page.locator('select').selectOption('1');
      for (const input of await page.locator('svc-form :is([type=checkbox],[type=radio][value="1"])').all())
        await input.check({ force: true });
      await page.click('.primary');
      await fill('server', 'ada@example');
      await expectNoEnglish(page, language);
      await page.click('.primary');
      await page.waitForSelector('.error:not(:empty)');
      await expectNoEnglish(page, language);
      expect(await page.locator('.error:not(:empty)').textContent()).toBe(CATALOGS[language].browser.email);
      // No connection, and then the thank-you page.
      await fill('server', 'ada@example.com');
      await page.route('**/submissions', (route) => route.abort());
      await page.click('.primary');
      await page.waitForSelector('.whole:not(:empty)');
      await expectNoEnglish(page, language);
      await page.unroute('**/submissions');
      await page.click('.primary');
      await page.waitForSelector('.done');
      await expectNoEnglish(page, language);
    });
  });

  it('follows the direction of its page if the tag names a language that it does not know', async () => {
    const { page } = await inline({
      body: `<h1>x</h1><script>document.documentElement.dir = 'rtl'</script>`,
      attributes: 'data-svc-lang="he"',
    });
    await page.waitForSelector('form');
    expect(await page.locator('form').evaluate((form) => getComputedStyle(form).direction)).toBe('rtl');
  });

  describe('a form in Arabic', () => {
    const settings = settingsFor('ar');
    const attributes = 'data-svc-lang="ar"';

    it('has a hosted page without any English word', async () => {
      const context = await fixture().newContext({ locale: 'ar-EG' });
      const visit = await inline({ context, fields: FIELDS, settings, name: ORIGINAL });
      const { page } = visit;
      await page.goto(`${fixture().baseUrl}/f/${visit.form.id}`);
      await page.waitForSelector('form');
      const html = page.locator('html');
      expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl']);
      expect(await page.title()).toBe(OWN);
      expect(await page.locator('body').innerText()).not.toMatch(/[A-Za-z]/);
      await page.click('.primary');
      await expectNoEnglish(page, 'ar');
      expect(await violations(page)).toEqual([]);
    });

    it.each([
      ['modal', undefined],
      ['slide-in', undefined],
      ['slide-in', 'bottom-right'],
      ['bar', undefined],
      ['fullscreen', undefined],
    ] as const)('is mirrored as %s, %s, without violations', async (placement, position) => {
      const visit = await openedVisit(fixture(), {
        fields: FIELDS.filter(({ name }) => /^(text|select|rating|consent)$/.test(name)),
        settings: {
          ...settingsFor('ar'),
          translations: {
            ar: {
              title: OWN,
              fields: Object.fromEntries(
                ['text', 'select', 'rating', 'consent'].map((name) => [
                  name,
                  TRANSLATION?.fields?.[name] ?? {},
                ]),
              ),
            },
          },
          placement,
          ...(position && { position }),
        },
        popup: { ...SOON, decline: { enabled: true } },
        attributes,
        body: '<main><h1>A page</h1></main>',
        contextOptions: { reducedMotion: 'reduce' },
        // axe waits by timers.
        fakeClock: false,
      });
      const { page } = visit;
      const boxes = await page.evaluate(() => {
        const root = document.querySelector('svc-form')?.shadowRoot;
        const dialog = root?.querySelector('dialog') as HTMLElement;
        const [box, cross] = [dialog, root?.querySelector('.close') as HTMLElement].map((node) =>
          node.getBoundingClientRect(),
        );
        return {
          dir: dialog.dir,
          lang: dialog.lang,
          middle: ((box?.left ?? 0) + (box?.right ?? 0)) / 2 / innerWidth,
          cross: ((cross?.left ?? 0) - (box?.left ?? 0)) / (box?.width ?? 1),
        };
      });
      expect(boxes).toMatchObject({ dir: 'rtl', lang: 'ar' });
      expect(boxes.cross).toBeLessThan(0.2);
      if (placement === 'slide-in') {
        if (position) expect(boxes.middle).toBeGreaterThan(0.5);
        else expect(boxes.middle).toBeLessThan(0.5);
      }
      expect(await violations(page)).toEqual([]);
      await page.click('.primary');
      expect(await violations(page)).toEqual([]);
    });
  });
}
