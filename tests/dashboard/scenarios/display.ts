import type { FormOut, FormSettings } from '@svcforms/contracts';
import { createForm, poll } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';
import { scriptTag } from '../../browser/fixture.ts';
import { startSite } from '../../browser/site.ts';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

export function displayScenarios(fixture: () => Fixture): void {
  describe('how a form is displayed', () => {
    const popupOf = async (id: string) =>
      (await fixture().client.get<FormOut>(`/api/forms/${id}`)).body.data.settings.popup;
    const openDisplay = async (popup?: FormSettings['popup'], options = {}) => {
      const form = await createForm(fixture().client, { name: 'Shown', settings: popup ? { popup } : {} });
      return { form, page: await fixture().open(`/forms/${form.id}/display`, options) };
    };
    const save = async (page: Page) => {
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes published').waitFor();
    };
    const openAdvanced = (page: Page) => page.getByText('Advanced settings').click();
    const trigger = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
    /** Opens a site with the script tag as a visitor. */
    const visit = async (page: Page, attributes: string, path = '/') => {
      const site = await startSite();
      site.put({
        html: `<!doctype html><title>Site</title><h1>Site</h1><a id="buy" href="/">Buy</a>${scriptTag(fixture().baseUrl, attributes)}`,
      });
      const visitor = await page.context().newPage();
      const messages: string[] = [];
      visitor.on('console', (message) => messages.push(message.text()));
      const hasForm = visitor.waitForResponse(/\/embed\/forms\//);
      await visitor.goto(site.url + path);
      await hasForm;
      // Lets the script finish its microtasks after the response.
      for (let i = 0; i < 3; i++)
        await visitor.evaluate(() => new Promise<void>((resolve) => queueMicrotask(resolve)));
      return { visitor, messages };
    };

    it('creates a popup that opens on a page with the script tag', async () => {
      const { form, page } = await openDisplay();
      await trigger(page, 'Popup').check();
      await trigger(page, 'Click').check();
      await page.getByLabel('CSS selector').fill('#buy');
      expect(await page.getByLabel('Trigger as text').isVisible()).toBe(false);
      await openAdvanced(page);
      expect(await page.getByLabel('Trigger as text').inputValue()).toBe('click:#buy');
      expect(await violations(page)).toEqual([]);
      await save(page);
      expect(await popupOf(form.id)).toEqual({ enabled: true, trigger: 'click', selector: '#buy' });

      const { visitor } = await visit(page, `data-svc-form-id="${form.id}"`);
      await visitor.getByRole('link', { name: 'Buy' }).click();
      await visitor.getByRole('dialog', { name: 'Shown' }).waitFor();
    });

    it('chooses a popup style with its position, opens it, and goes back to inline', async () => {
      const { form, page } = await openDisplay({ enabled: true, trigger: 'exit' });
      const settingsOf = async () =>
        (await fixture().client.get<FormOut>(`/api/forms/${form.id}`)).body.data.settings;
      await trigger(page, 'Slide-in').check();
      await page.getByRole('combobox', { name: 'Position' }).click();
      await page.getByRole('option', { name: 'Top left' }).click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Open the popup now' }).click();
      await page.getByText('The popup opened.').waitFor();
      const played = page.frameLocator('iframe[title="Sample page with the trigger"]');
      const box = await played.getByRole('dialog', { name: 'Shown' }).boundingBox();
      const frame = await page.locator('iframe[title="Sample page with the trigger"]').boundingBox();
      expect((box?.x ?? 0) - (frame?.x ?? 0)).toBeLessThan(30);
      await save(page);
      expect(await settingsOf()).toMatchObject({ placement: 'slide-in', position: 'top-left' });
      await trigger(page, 'Bar').check();
      await save(page);
      const { position, ...settings } = await settingsOf();
      expect([settings.placement, position]).toEqual(['bar', undefined]);
      await trigger(page, 'Inline').check();
      await save(page);
      expect(await settingsOf()).toEqual({ popup: { enabled: false, trigger: 'exit' } });
    });

    it('keeps the parameters of each trigger after switching', async () => {
      const { form, page } = await openDisplay({
        enabled: true,
        trigger: 'delay',
        delayMs: 8000,
        scrollPercent: 70,
      });
      await trigger(page, 'Scroll depth').check();
      expect(await page.getByLabel('Scroll depth (%)').inputValue()).toBe('70');
      await page.getByLabel('Scroll depth (%)').fill('35');
      await trigger(page, 'Time on page').check();
      expect(await page.getByLabel('Seconds on the page').inputValue()).toBe('8');
      await trigger(page, 'Engagement (intent)').check();
      await save(page);
      expect(await popupOf(form.id)).toEqual({
        enabled: true,
        trigger: 'intent',
        delayMs: 8000,
        scrollPercent: 35,
      });
      await page.reload();
      await trigger(page, 'Scroll depth').check();
      await page.getByLabel('Scroll depth (%)').fill('');
      await trigger(page, 'Exit intent').check();
      await save(page);
      // The API removes the cleared parameter.
      expect(await popupOf(form.id)).toEqual({ enabled: true, trigger: 'exit', delayMs: 8000 });
    });

    it('reads and writes the trigger string with a combination, and marks errors', async () => {
      const { form, page } = await openDisplay({ enabled: true, trigger: 'exit' });
      await openAdvanced(page);
      const text = page.getByLabel('Trigger as text');
      await text.fill('scroll:40&clik:#buy');
      await page.locator('mark', { hasText: 'clik:#buy' }).waitFor();
      await page.getByText('“clik” is not a trigger').waitFor();
      expect(await trigger(page, 'Exit intent').isChecked()).toBe(true);
      await text.fill('scroll:40&click:#buy');
      await page.getByText('is not a trigger').waitFor({ state: 'detached' });
      expect(await trigger(page, 'Combination').isChecked()).toBe(true);
      expect(await page.getByLabel('Scroll depth (%)').inputValue()).toBe('40');
      await page.getByLabel('CSS selector').fill('.cta');
      expect(await text.inputValue()).toBe('scroll:40&click:.cta');
      await page.getByRole('combobox', { name: 'Trigger: First trigger' }).click();
      await page.getByRole('option', { name: 'Inactivity' }).click();
      await page.getByLabel('Seconds of inactivity').fill('12.5');
      await save(page);
      expect(await popupOf(form.id)).toEqual({
        enabled: true,
        trigger: 'all',
        and: [
          { trigger: 'inactivity', delayMs: 12_500 },
          { trigger: 'click', selector: '.cta' },
        ],
      });
    });

    it('keeps the parameters of each trigger of a combination after switching', async () => {
      const and = [{ trigger: 'delay' as const, delayMs: 45_000 }, { trigger: 'exit' as const }];
      const { form, page } = await openDisplay({ enabled: true, trigger: 'all', and, delayMs: 8000 });
      const choose = async (half: string, name: string) => {
        await page.getByRole('combobox', { name: `Trigger: ${half} trigger` }).click();
        await page.getByRole('option', { name }).click();
      };
      await choose('First', 'Scroll depth');
      await page.getByLabel('Scroll depth (%)').fill('35');
      await choose('First', 'Time on page');
      expect(await page.getByLabel('Seconds on the page').inputValue()).toBe('45');
      // The other half has parameters of its own.
      await choose('Second', 'Inactivity');
      expect(await page.getByLabel('Seconds of inactivity').inputValue()).toBe('8');
      await choose('First', 'Scroll depth');
      expect(await page.getByLabel('Scroll depth (%)').inputValue()).toBe('35');
      await trigger(page, 'Exit intent').check();
      await trigger(page, 'Combination').check();
      await choose('First', 'Time on page');
      await save(page);
      expect((await popupOf(form.id))?.and).toEqual([and[0], { trigger: 'inactivity', delayMs: 8000 }]);
    });

    it('forgets the parameters of a combination that the user has discarded', async () => {
      const popup = {
        enabled: true,
        trigger: 'all' as const,
        and: [{ trigger: 'delay' as const }, { trigger: 'exit' as const }],
        scrollPercent: 70,
      };
      const { form, page } = await openDisplay(popup, { expected: /409/ });
      const choose = async (name: string) => {
        await page.getByRole('combobox', { name: 'Trigger: First trigger' }).click();
        await page.getByRole('option', { name }).click();
      };
      await choose('Scroll depth');
      await page.getByLabel('Scroll depth (%)').fill('35');
      await choose('Inactivity');
      await fixture().client.put(`/api/forms/${form.id}?draft=true`, {
        body: { ...form, name: 'Theirs' },
        expect: 200,
      });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const conflict = page.getByRole('dialog');
      await conflict.getByRole('button', { name: 'Discard my changes' }).click();
      await conflict.waitFor({ state: 'detached' });
      await choose('Scroll depth');
      expect(await page.getByLabel('Scroll depth (%)').inputValue()).toBe('70');
    });

    it('shows the blocking rules for a page, a device and earlier visits, like the real page', async () => {
      const { form, page } = await openDisplay({ enabled: true, trigger: 'exit' });
      await page.getByLabel('Exclude').fill('/pricing');
      await page.getByLabel('Include').fill('pricing\n/blog/*');
      await page.getByLabel('Test a page').fill('https://example.com/Pricing/?a=b');
      await page.getByText('On /Pricing/: excluded by /pricing.').waitFor();
      await page.getByLabel('Test a page').fill('/blog/first');
      await page.getByText('On /blog/first: included by /blog/*.').waitFor();
      await trigger(page, 'Mobile only').check();
      await page.getByLabel('Show again after (days)', { exact: true }).fill('14');
      await page.getByLabel('Maximum impressions').fill('3');
      await page.getByRole('switch', { name: 'Show a decline button' }).check();
      await page
        .getByText(
          'Visitors see the popup again after 14 days, with at most 3 impressions. After a decline, they see it again after 90 days.',
        )
        .waitFor();

      const why = page.getByRole('region', { name: 'Why didn’t it show?' });
      await why.getByLabel('Page', { exact: true }).fill('/pricing');
      await why.getByLabel('Days since the last impression').fill('3');
      await why.getByText('3 rules block the popup.').waitFor();
      const rules = (await why.getByRole('listitem').allInnerTexts()).filter((one) => one.includes('Blocks'));
      expect(rules.map((one) => one.split('\n').at(-1))).toEqual([
        'Shown only on mobile; this is desktop.',
        'On /pricing: excluded by /pricing.',
        'Shown 3 days ago, shown again after 14 days: 11 days left.',
      ]);
      await save(page);
      expect((await popupOf(form.id))?.pages).toEqual({
        include: ['/pricing', '/blog/*'],
        exclude: ['/pricing'],
      });
      expect(await page.getByLabel('Include').inputValue()).toBe('/pricing\n/blog/*');

      const { messages } = await visit(page, `data-svc-form-id="${form.id}" data-svc-debug`, '/pricing');
      await poll(async () => messages.some((line) => line.includes(form.id)), {
        what: 'the messages of the script',
      });
      expect(messages.join()).toContain('it is blocked');
      const lines = messages.join('\n').split('\n');
      expect(lines).toEqual(
        expect.arrayContaining([
          '  NO  device: only mobile, this is desktop',
          '  NO  page: /pricing excluded by /pricing',
          '  ok  frequency: not shown',
        ]),
      );
    });

    it('shows the requirements of the intent trigger at the trigger, in the check, under Share and on the real page', async () => {
      const { form, page } = await openDisplay({ enabled: true, trigger: 'exit' });
      const why = page.getByRole('region', { name: 'Why didn’t it show?' });
      await why.getByText('Every rule passes').waitFor();
      expect(await page.getByText('data-warm-lead="true"').count()).toBe(0);
      await trigger(page, 'Engagement (intent)').check();
      await page
        .getByText(/data-warm-lead="true" on its script tag.*data-svc-analytics/)
        .first()
        .waitFor();
      await why.getByText(/^Warning: Check your page: .*data-warm-lead="true"/).waitFor();
      expect(await violations(page)).toEqual([]);
      await save(page);

      const { messages } = await visit(page, `data-svc-form-id="${form.id}" data-svc-debug`);
      await poll(async () => messages.some((line) => line.includes('The page has no analytics tag')), {
        what: 'the warning',
      });
      const analytics = '></script><script data-warm-lead="true"';
      const withAnalytics = await visit(page, `data-svc-form-id="${form.id}" data-svc-debug${analytics}`);
      await poll(async () => withAnalytics.messages.some((line) => line.includes('it is armed')), {
        what: 'the verdict',
      });
      expect(withAnalytics.messages.join()).not.toContain('The page has no analytics tag');

      await page.getByRole('link', { name: 'Share' }).click();
      const share = page.getByRole('region', { name: 'Connect your analytics' });
      await share.getByText('data-warm-lead="true"').waitFor();
      await share.getByText('data-svc-analytics="acme"').waitFor();
    });

    it('fills in the sources of a known consent banner', async () => {
      const { form, page } = await openDisplay({ enabled: true, trigger: 'exit' });
      await page.getByRole('combobox', { name: 'Consent banner' }).click();
      await page.getByRole('option', { name: 'OneTrust' }).click();
      expect(await page.getByLabel('Cookie', { exact: true }).inputValue()).toBe('OptanonConsent');
      await page.getByLabel('Category for analytics').fill('C0004');
      await save(page);
      expect((await popupOf(form.id))?.trackingConsent).toEqual({
        cookie: 'OptanonConsent',
        category: 'C0004',
      });
    });

    it('plays the trigger with the embed', async () => {
      const { page } = await openDisplay({ enabled: true, trigger: 'click', selector: '.offer #buy' });
      await page.getByRole('button', { name: 'Start test' }).click();
      await page.getByText('The trigger is active.').waitFor();
      const played = page.frameLocator('iframe[title="Sample page with the trigger"]');
      await played.getByText('What fits .offer #buy').click();
      await page.getByText('The popup opened.').waitFor();
      await played.getByRole('dialog', { name: 'Shown' }).getByRole('button', { name: 'Close' }).click();
      await page.getByText('The popup was closed.').waitFor();

      await openAdvanced(page);
      await page.getByLabel('Trigger as text').fill('scroll:30');
      await page.getByRole('button', { name: 'Restart test' }).click();
      await page.getByText('The trigger is active.').waitFor();
      await played.getByText('The end of the page.').scrollIntoViewIfNeeded();
      await page.getByText('The popup opened.').waitFor();
    });

    it('copies snippets for pages, and links to the form', async () => {
      const { form, page } = await openDisplay();
      await page.getByRole('link', { name: 'Share' }).click();
      await page.getByRole('heading', { name: 'Share', exact: true }).waitFor();
      const copy = async (what: string) => {
        await page.getByRole('button', { name: `Copy: ${what}`, exact: true }).click();
        await page.getByRole('button', { name: `Copied: ${what}`, exact: true }).waitFor();
        return page.evaluate(() => navigator.clipboard.readText());
      };
      const { baseUrl } = fixture();
      expect(await copy('Script tag')).toBe(
        `<script src="${baseUrl}/embed.js" async data-svc-form-id="${form.id}"></script>`,
      );
      const fields = [
        { name: 'email', type: 'email' },
        { name: 'utm_source', type: 'hidden' },
      ];
      await fixture().client.put(`/api/forms/${form.id}`, { body: { ...form, fields }, expect: 200 });
      await page.reload();
      expect(await copy('Script tag')).toBe(
        `<script src="${baseUrl}/embed.js" async data-svc-form-id="${form.id}" data-svc-prefill></script>`,
      );
      expect(await copy('Policy directives')).toContain(`script-src ${baseUrl};`);
      const button = await copy('Button');
      const link = await copy('Link to the form');

      const site = await startSite();
      const visitor = await page.context().newPage();
      site.put({ html: `<!doctype html><title>Site</title><h1>Site</h1>${button}` });
      await visitor.goto(site.url);
      await visitor.waitForFunction(() => 'SvcForms' in window);
      await visitor.getByRole('button', { name: 'Open the form' }).click();
      await visitor.getByRole('dialog', { name: 'Shown' }).waitFor();
      await visitor.goto(link);
      await visitor.getByRole('heading', { name: 'Shown' }).waitFor();
    });

    it('takes decimals as they are typed', async () => {
      const { form, page } = await openDisplay({ enabled: true, trigger: 'delay' });
      const seconds = page.getByLabel('Seconds on the page');
      await seconds.pressSequentially('1.05');
      expect(await seconds.inputValue()).toBe('1.05');
      await save(page);
      expect(await popupOf(form.id)).toMatchObject({ delayMs: 1050 });
      await seconds.fill('');
      await seconds.pressSequentially('0.5');
      await save(page);
      expect(await popupOf(form.id)).toMatchObject({ delayMs: 500 });
    });
  });
}
