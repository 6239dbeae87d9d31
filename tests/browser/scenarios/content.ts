import type { FormField, FormOut, SubmissionOut } from '@svcforms/contracts';
import { violations } from '../accessibility.ts';
import type { Fixture } from '../fixture.ts';
import { openedVisit, openSoon, SOON } from '../popup-visit.ts';

const TEXT = 'I accept the [terms](https://example.com/terms_(2026))';
const PARAGRAPH =
  'Read **this** and *that*,\nor [write](mailto:a@example.com).\n\n- one\n- <img src=x onerror="window.hacked = 1">';
const CONTENT: FormField[] = [
  { name: 'h', type: 'heading', label: 'About you' },
  { name: 'p', type: 'paragraph', label: PARAGRAPH },
  { name: 'd', type: 'divider' },
  { name: 'email', type: 'email', label: 'Email, see [why](https://example.com/why)', required: true },
  { name: 'terms', type: 'consent', label: TEXT, required: true },
  { name: 'why', type: 'text', label: 'Why', showIf: { field: 'terms', equals: true } },
];

/** docs/reference/forms.md#content */
export function contentScenarios(fixture: () => Fixture): void {
  describe('content', () => {
    it('is rendered without HTML, under a strict policy, and the consent is stored with its text', async () => {
      const base = fixture().baseUrl;
      const visit = await fixture().visit({
        fields: CONTENT,
        popup: SOON,
        body: '<h1>x</h1>',
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; connect-src ${base}; require-trusted-types-for 'script'; trusted-types 'none'`,
        },
        tags: (form) => `<script nonce="abc" src="${base}/embed.js" data-svc-form-id="${form.id}"></script>`,
      });
      await openSoon(visit);
      const { page } = visit;
      expect(await page.getByRole('heading', { name: 'About you' }).evaluate((one) => one.tagName)).toBe(
        'H3',
      );
      expect(await page.locator('.prose p').innerText()).toBe('Read this and that,\nor write.');
      expect(await page.locator('.prose li').allInnerTexts()).toEqual([
        'one',
        '<img src=x onerror="window.hacked = 1">',
      ]);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      const links = await page
        .locator('svc-form a')
        .evaluateAll((all) => all.map((one) => [one.getAttribute('href'), one.getAttribute('target')]));
      expect(links).toEqual([
        ['mailto:a@example.com', null],
        ['https://example.com/why', '_blank'],
        ['https://example.com/terms_(2026)', '_blank'],
      ]);
      // Content takes no focus.
      expect(
        await page.evaluate(() =>
          document.querySelector('svc-form')?.shadowRoot?.activeElement?.getAttribute('type'),
        ),
      ).toBe('email');

      await page.getByLabel('Email, see why').fill('ada@example.com');
      await page.click('.primary');
      expect(await page.locator('.wrong .error').count()).toBe(1);
      expect(await page.getByLabel('Why', { exact: true }).isVisible()).toBe(false);
      await page.getByRole('checkbox', { name: 'I accept the terms' }).check();
      await page.getByLabel('Why', { exact: true }).fill('because');
      await page.click('.primary');
      await page.waitForSelector('.done');
      expect(visit.problems).toEqual([]);
      const { body } = await fixture().client.get<SubmissionOut[]>(`/api/forms/${visit.form.id}/submissions`);
      expect(body.data.map(({ data }) => data)).toEqual([
        { email: 'ada@example.com', terms: { accepted: true, text: TEXT }, why: 'because' },
      ]);
    });

    it('asks for a new consent if the text changed while the form was open', async () => {
      const visit = await openedVisit(fixture(), { fields: CONTENT });
      const { page, form } = visit;
      const fields = CONTENT.map((field) => (field.type === 'consent' ? { ...field, label: 'New' } : field));
      await fixture().client.put(`/api/forms/${form.id}`, { body: { ...form, fields }, expect: 200 });
      await page.getByLabel('Email, see why').fill('ada@example.com');
      await page.getByRole('checkbox').check();
      await page.click('.primary');
      await page.getByText('This has a new text; reload the page to read it').waitFor();
    });

    it('of the title and the intro replaces the name, in popups, inline and on the hosted page', async () => {
      const { client, newContext, baseUrl } = fixture();
      const { data: form } = (
        await client.post<FormOut>('/api/forms', {
          body: { name: 'Q3 campaign', title: 'Write to us', intro: 'We reply **soon**.', fields: CONTENT },
          expect: 201,
        })
      ).body;
      const popup = await fixture().visit({ form, attributes: 'data-svc-trigger="delay:100"' });
      await openSoon(popup);
      expect(await popup.page.getByRole('dialog', { name: 'Write to us' }).count()).toBe(1);
      const hosted = await (await newContext()).newPage();
      await hosted.goto(`${baseUrl}/f/${form.id}`);
      await hosted.getByRole('heading', { level: 1, name: 'Write to us' }).waitFor();
      expect(await hosted.title()).toBe('Write to us');
      for (const page of [popup.page, hosted]) {
        expect(await page.locator('.prose').first().innerHTML()).toBe(
          '<p>We reply <strong>soon</strong>.</p>',
        );
        expect(await page.getByText('Q3 campaign').count()).toBe(0);
      }
      expect(await violations(hosted)).toEqual([]);
    });

    it('of the query of the page does not tick a consent', async () => {
      const visit = await fixture().visit({
        fields: CONTENT,
        path: '/?terms=true&email=ada@example.com',
        attributes: 'data-svc-prefill',
        fakeClock: false,
      });
      await visit.page.waitForSelector('form');
      expect(await visit.page.getByLabel('Email, see why').inputValue()).toBe('ada@example.com');
      expect(await visit.page.getByRole('checkbox').isChecked()).toBe(false);
    });

    it.each([undefined, 'bar'] as const)(
      'has no violations with placement %s, and fits into 320 pixels',
      async (placement) => {
        const visit = await openedVisit(fixture(), {
          fields: CONTENT,
          settings: placement ? { placement } : {},
          body: '<main><h1>A page</h1></main>',
          contextOptions: { reducedMotion: 'reduce', viewport: { width: 320, height: 568 } },
          fakeClock: false,
        });
        expect(await violations(visit.page)).toEqual([]);
        await visit.page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
        expect(await violations(visit.page)).toEqual([]);
        const overflow = await visit.page.evaluate(() => {
          const dialog = document
            .querySelector('svc-form')
            ?.shadowRoot?.querySelector('dialog') as HTMLElement;
          return dialog.scrollWidth - dialog.clientWidth;
        });
        expect(overflow).toBe(0);
      },
    );
  });
}
