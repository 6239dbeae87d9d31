import { READY_THEMES, type FormField, type FormSettings } from '@svcforms/contracts';
import { violations } from '../accessibility.ts';
import type { Fixture, Visit, VisitOptions } from '../fixture.ts';
import { openedVisit, openSoon, SOON } from '../popup-visit.ts';
import { ALL_FIELDS } from './renderer.ts';

type Theme = NonNullable<FormSettings['theme']>;

const WHITE = 'rgb(255, 255, 255)';
const DARK = 'rgb(18, 18, 18)';
const RATINGS: FormField[] = [
  { name: 'stars', type: 'rating', label: 'Stars' },
  { name: 'hearts', type: 'rating', label: 'Hearts', max: 3, ratingStyle: 'hearts' },
  { name: 'nps', type: 'rating', label: 'Recommend', min: 0, max: 10 },
];
/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PICTURES = {
  logo: 'https://pictures.example/logo.png',
  cover: 'https://pictures.example/cover.png',
} satisfies Theme;

/** docs/reference/themes.md */
export function themeScenarios(fixture: () => Fixture): void {
  const inline = async ({ theme, ...options }: VisitOptions & { theme?: Theme } = {}): Promise<Visit> => {
    const visit = await fixture().visit({
      fakeClock: false,
      body: '<main><h1>x</h1></main>',
      ...options,
      ...(theme && { settings: { theme } }),
    });
    await visit.page.waitForSelector('form');
    return visit;
  };
  const opened = ({ theme, ...options }: VisitOptions & { theme?: Theme } = {}): Promise<Visit> =>
    openedVisit(fixture(), { ...options, ...(theme && { settings: { theme } }) });
  const style = ({ page }: Visit, selector: string, property: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const backgroundOf = (visit: Visit) => style(visit, '.root', 'background-color');

  describe('the color scheme', () => {
    const DARK_PAGE = '<style>body{background:#1d1f24;color:#eee}</style>';
    const LIGHT_PAGE = '<style>body{background:#fafafa;color:#222}</style>';
    const EITHER = '<style>:root{color-scheme:light dark}</style>';

    it.each<[string, 'light' | 'dark', Theme | undefined, string, string]>([
      ['stays light on a page that is only light', 'dark', undefined, '', WHITE],
      ['stays light on a light background', 'dark', undefined, EITHER + LIGHT_PAGE, WHITE],
      ['is dark on a page with dark colors', 'light', undefined, DARK_PAGE, DARK],
      ['is dark on a page with a dark picture', 'light', undefined, '<style>body{color:#eee}</style>', DARK],
      ['follows a page that follows the system, dark', 'dark', undefined, EITHER, DARK],
      ['follows a page that follows the system, light', 'light', undefined, EITHER, WHITE],
      ['follows the page by choice', 'dark', { colorScheme: 'page' }, '', WHITE],
      ['follows the system by choice', 'dark', { colorScheme: 'system' }, LIGHT_PAGE, DARK],
      ['follows the system by choice, light', 'light', { colorScheme: 'system' }, DARK_PAGE, WHITE],
      ['is light by choice', 'dark', { colorScheme: 'light' }, DARK_PAGE, WHITE],
      ['is dark by choice', 'light', { colorScheme: 'dark' }, LIGHT_PAGE, DARK],
      [
        'suits the background',
        'light',
        { colorScheme: 'light', background: '#202124' },
        '',
        'rgb(32, 33, 36)',
      ],
    ])('%s', async (_, colorScheme, theme, head, background) => {
      const options = { head, contextOptions: { colorScheme }, ...(theme && { theme }) };
      const visits = [await inline(options), await opened(options)];
      for (const visit of visits) {
        expect(await backgroundOf(visit)).toBe(background);
        expect(await style(visit, '.root', 'color-scheme')).toBe(
          theme?.colorScheme === 'system' ? 'light dark' : background === WHITE ? 'light' : 'dark',
        );
      }
    });

    it.each([
      ['a light page', ''],
      ['a dark page', DARK_PAGE],
    ])('of a form whose background is translucent is as without one on %s', async (_, head) => {
      const look = async (theme: Theme) => {
        const visit = await inline({ head, theme });
        return [await style(visit, '.root', 'color-scheme'), await style(visit, '.root', 'color')];
      };
      const usual = await look({ radius: 8 });
      for (const background of ['#0000', '#ffffff7f', 'rgb(0 0 0 / 40%)'])
        expect(await look({ background })).toEqual(usual);
    });

    it('follows a page that changes its colors', async () => {
      const visit = await inline({
        head: '<style>.dark{background:#111;color:#eee}</style>',
        theme: { accent: '#1a1a5e' },
      });
      expect(await backgroundOf(visit)).toBe(WHITE);
      await visit.page.evaluate(() => document.body.classList.add('dark'));
      await expectSoon(visit, '.root', 'backgroundColor', DARK);
      await visit.page.evaluate(() => document.body.classList.remove('dark'));
      await expectSoon(visit, '.root', 'backgroundColor', WHITE);
    });

    it('of the hosted page is that of the form', async () => {
      const { form, context } = await inline({
        theme: { colorScheme: 'light' },
        contextOptions: { colorScheme: 'dark' },
      });
      const page = await context.newPage();
      await page.goto(`${fixture().baseUrl}/f/${form.id}`);
      await page.waitForSelector('form');
      const canvas = await page.evaluate(() => {
        document.body.style.color = 'CanvasText';
        return getComputedStyle(document.body).color;
      });
      expect(canvas).toBe('rgb(0, 0, 0)');
    });
  });

  describe('a theme', () => {
    it('sets radius, width, density and font of card and controls', async () => {
      const visit = await inline({
        theme: { radius: 20, width: 300, density: 'compact', font: 'inherit' },
        head: '<style>body{font-family:"Page Font",serif}</style>',
      });
      expect(await style(visit, '.root', 'border-top-left-radius')).toBe('20px');
      expect(await style(visit, '.text', 'border-top-left-radius')).toBe('20px');
      expect(await style(visit, '.primary', 'border-top-left-radius')).toBe('20px');
      expect(await style(visit, '.text', 'font-family')).toBe('"Page Font", serif');
      expect((await visit.page.locator('.root').boundingBox())?.width).toBe(300);
      const spacious = await inline({ theme: { density: 'spacious' } });
      const padding = async (one: Visit) => Number.parseFloat(await style(one, 'form', 'padding-top'));
      expect(await padding(visit)).toBeLessThan(await padding(await inline()));
      expect(await padding(spacious)).toBeGreaterThan(await padding(await inline()));
    });

    it('gives way to the custom properties of the page', async () => {
      const visit = await inline({
        theme: { accent: '#aa0000', radius: 2 },
        head: '<style>svc-form{--svc-accent:#ffee00;--svc-background:#222;--svc-text:#eee;--svc-radius:9px;--svc-width:333px;--svc-space:2em;--svc-font:Papyrus}</style>',
      });
      expect(await style(visit, '.primary', 'background-color')).toBe('rgb(255, 238, 0)');
      expect(await style(visit, '.primary', 'color')).toBe('rgb(0, 0, 0)');
      expect(await backgroundOf(visit)).toBe('rgb(34, 34, 34)');
      expect(await style(visit, '.root', 'color')).toBe('rgb(238, 238, 238)');
      expect(await style(visit, '.root', 'border-top-left-radius')).toBe('9px');
      expect(await style(visit, 'form', 'padding-top')).toBe('56px');
      expect(await style(visit, '.root', 'font-family')).toBe('Papyrus');
      expect((await visit.page.locator('.root').boundingBox())?.width).toBe(333);
      const other = await inline({ head: '<style>:root{--svc-accent-text:#123456}</style>' });
      expect(await style(other, '.primary', 'color')).toBe('rgb(18, 52, 86)');
    });

    it('keeps marks and small text legible on every background', async () => {
      const visit = await inline({
        fields: ALL_FIELDS,
        theme: { accent: '#1a56db', background: '#1d4ed8', text: '#ffffff' },
      });
      await visit.page.click('.primary');
      expect(await violations(visit.page)).toEqual([]);
    });

    it('shows logo and cover, and requests nothing else of others', async () => {
      const others: string[] = [];
      const referrers: (string | undefined)[] = [];
      const body = '<main><h1>x</h1></main>';
      const visit = await fixture().visit({ isUnarmed: true, fakeClock: false, tags: () => '', body });
      await visit.context.route('https://pictures.example/**', async (route) => {
        others.push(route.request().url());
        referrers.push(route.request().headers()['referer']);
        await route.fulfill({ contentType: 'image/png', body: PIXEL });
      });
      const { page, form } = await inline({ theme: PICTURES, context: visit.context, body });
      const isShown = () =>
        page.waitForFunction(() =>
          ['cover', 'logo'].every(
            (name) =>
              document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLImageElement>(`.${name}`)
                ?.naturalWidth === 1,
          ),
        );
      await isShown();
      expect(await violations(page)).toEqual([]);
      await page.goto(`${fixture().baseUrl}/f/${form.id}`);
      await isShown();
      expect(new Set(referrers)).toEqual(new Set([undefined]));
      expect(new Set(others)).toEqual(new Set(Object.values(PICTURES)));
    });

    it('keeps the place of a picture that does not load', async () => {
      const visit = await fixture().visit({ isUnarmed: true, tags: () => '' });
      await visit.context.route('https://pictures.example/**', (route) => route.abort());
      const { page } = await inline({ theme: PICTURES, context: visit.context });
      await page.waitForFunction(
        () =>
          document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLElement>('.logo')?.style
            .visibility === 'hidden',
      );
      expect((await page.locator('.cover').boundingBox())?.height).toBeGreaterThan(50);
    });
  });

  describe.each(READY_THEMES)('the theme $name', ({ theme }) => {
    it.each(['light', 'dark'] as const)('is accessible on a %s page', async (colorScheme) => {
      const options: VisitOptions & { theme: Theme } = {
        theme,
        fields: ALL_FIELDS,
        fakeClock: false,
        head: '<style>:root{color-scheme:light dark}</style>',
        body: '<main><h1>x</h1></main>',
        contextOptions: { colorScheme, reducedMotion: 'reduce' },
      };
      const shown = await inline(options);
      expect(await violations(shown.page)).toEqual([]);
      await shown.page.click('.primary');
      expect(await violations(shown.page)).toEqual([]);
      await shown.page.getByLabel('Text').fill('x');
      await shown.page.click('.primary');
      await shown.page.waitForSelector('.done');
      expect(await violations(shown.page)).toEqual([]);
      const modal = await opened({ ...options, popup: { ...SOON, decline: { enabled: true } } });
      expect(await violations(modal.page)).toEqual([]);
    });
  });

  describe('the controls', () => {
    it('are loaded only by forms that have them', async () => {
      const chunks = ({ requests }: Visit) =>
        requests.flatMap((request) => /\/embed\/([a-z]+)\.[0-9a-f]+\.js$/.exec(request)?.[1] ?? []);
      expect(chunks(await opened())).toEqual(['ui', 'en']);
      expect(chunks(await opened({ fields: RATINGS }))).toEqual(['ui', 'en', 'choices']);
      expect(chunks(await opened({ theme: PICTURES }))).toEqual(['ui', 'en', 'pictures']);
    });

    it('of a rating are operated by pointer and keyboard', async () => {
      const visit = await inline({ fields: RATINGS });
      const { page } = visit;
      const filled = (group: string) =>
        page
          .locator(`.${group} svg`)
          .evaluateAll((drawings) =>
            drawings.map((one) => getComputedStyle(one).fill !== 'rgba(0, 0, 0, 0)'),
          );
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page
        .getByRole('group', { name: 'Stars' })
        .or(page.getByRole('radiogroup', { name: 'Stars' }))
        .getByLabel('3')
        .click();
      expect(await filled('stars')).toEqual([true, true, true, false, false]);
      await page.keyboard.press('ArrowRight');
      expect(await filled('stars')).toEqual([true, true, true, true, false]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      expect(await filled('hearts')).toEqual([true, false, false]);
      await page.getByRole('radiogroup', { name: 'Recommend' }).getByLabel('10').check();
      await page.click('.primary');
      await page.waitForSelector('.done');
      const { body } = await fixture().client.get<{ data: unknown }[]>(
        `/api/forms/${visit.form.id}/submissions`,
        { expect: 200 },
      );
      expect(body.data[0]?.data).toEqual({ stars: 4, hearts: 1, nps: 10 });
    });

    it('show what is selected in forced colors', async () => {
      const { page } = await inline({
        fields: [...RATINGS, ...ALL_FIELDS.slice(9, 12)],
        contextOptions: { forcedColors: 'active' },
      });
      for (const label of ['2', '7', 'R-A', 'B-X'])
        await page.getByLabel(label, { exact: true }).first().check();
      const outlines = await page
        .locator('.option:has(:checked)')
        .evaluateAll((options) => options.map((option) => getComputedStyle(option).outlineStyle));
      expect(outlines).toEqual(['solid', 'solid', 'solid', 'solid']);
      expect(await violations(page)).toEqual([]);
    });

    it('distinguish a chosen number from a focused one in forced colors', async () => {
      const { page } = await inline({
        fields: RATINGS,
        contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' },
      });
      const picture = () => page.locator('.numbers').screenshot();
      const number = page.getByRole('radiogroup', { name: 'Recommend' }).getByLabel('7');
      await number.focus();
      await page.keyboard.press('Shift');
      const focused = await picture();
      expect((await picture()).equals(focused)).toBe(true);
      await page.keyboard.press('Space');
      expect((await picture()).equals(focused)).toBe(false);
    });

    it('show how far the visitor is, in forced colors', async () => {
      const { page } = await inline({
        fields: [
          { name: 'first', type: 'text' },
          { name: 'last', type: 'text', step: 2 },
        ],
        contextOptions: { forcedColors: 'active' },
      });
      const bar = await page.locator('progress').boundingBox();
      if (!bar) throw new Error('there is no progress bar');
      const { x, y, width, height } = bar;
      const picture = (from: number) =>
        page.screenshot({ clip: { x: x + width * from, y, width: width / 4, height } });
      expect((await picture(0.125)).equals(await picture(0.625))).toBe(false);
    });

    it('show an icon with each error', async () => {
      const visit = await inline({ fields: ALL_FIELDS });
      await visit.page.click('.primary');
      const icon = await visit.page
        .locator('.error:not(:empty)')
        .first()
        .evaluate((error) => getComputedStyle(error, '::before').content);
      expect(icon).toContain('!');
      expect(await visit.page.locator('.wrong').count()).toBe(1);
      await visit.page.getByLabel('Text').fill('x');
      expect(await visit.page.locator('.wrong').count()).toBe(0);
    });

    it('show the icon of an error, and the edge of the button, in forced colors', async () => {
      const { page } = await inline({
        fields: ALL_FIELDS,
        contextOptions: { forcedColors: 'active', colorScheme: 'dark' },
      });
      await page.click('.primary');
      // Below the cursor the edge has another color. The errors move the button away, but not
      // always before this.
      await page.mouse.move(0, 0);
      await page.locator('.primary:not(:hover)').waitFor();
      const [icon, edge] = await page.locator('.root').evaluate((root) => {
        const error = root.querySelector('.error:not(:empty)') as Element;
        const button = root.querySelector('.primary') as Element;
        return [getComputedStyle(error, '::before').color, getComputedStyle(button).borderTopColor];
      });
      // The background is black.
      expect([icon, edge]).toEqual(['rgb(255, 255, 255)', 'rgb(255, 255, 255)']);
    });

    it('have one focus ring that contrasts with the form', async () => {
      const visit = await inline({ fields: ALL_FIELDS });
      const { page } = visit;
      await page.getByLabel('Text').focus();
      for (let i = 0; i < 20; i++) {
        const ring = await page.evaluate(() => {
          const active = document.querySelector('svc-form')?.shadowRoot?.activeElement;
          if (!active) return undefined;
          const widths = [active, active.closest('.option') ?? active]
            .map((element) => getComputedStyle(element))
            .map(({ outlineStyle, outlineWidth }) => (outlineStyle === 'none' ? '0px' : outlineWidth));
          return { of: active.outerHTML.slice(0, 60), isVisible: widths.includes('2px') };
        });
        if (!ring) break;
        expect(ring).toMatchObject({ isVisible: true });
        await page.keyboard.press('Tab');
      }
    });

    it.each([320, 390])('fit into a window of %i pixels', async (width) => {
      const options = {
        fields: [...RATINGS, ...ALL_FIELDS],
        contextOptions: { viewport: { width, height: 600 } },
      };
      const shown = await inline(options);
      expect(await shown.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const modal = await opened(options);
      const overflow = await modal.page
        .locator('dialog')
        .evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
      expect(overflow).toBe(0);
    });

    it('work under a strict content security policy and move nothing', async () => {
      const base = fixture().baseUrl;
      const visit = await fixture().visit({
        popup: SOON,
        fields: [...RATINGS, ...ALL_FIELDS],
        settings: { theme: { density: 'compact', accent: '#0b6e4f' } },
        body: '<h1>x</h1><p>text</p>',
        headers: {
          'content-security-policy': `default-src 'none'; script-src 'nonce-abc'; style-src 'nonce-abc'; connect-src ${base}; require-trusted-types-for 'script'; trusted-types 'none'`,
        },
        head: `<script nonce="abc">window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => (shift += e.value))).observe({type: 'layout-shift', buffered: true})</script>`,
        tags: (form) => `<script nonce="abc" src="${base}/embed.js" data-svc-form-id="${form.id}"></script>`,
      });
      await openSoon(visit);
      expect(visit.problems).toEqual([]);
      expect(await style(visit, '.stars .option', 'display')).toBe('flex');
      expect(await visit.page.evaluate('shift')).toBe(0);
    });

    it('are loaded for loaders of earlier versions, which open the modal themselves', async () => {
      const base = fixture().baseUrl;
      const visit = await fixture().visit({
        fakeClock: false,
        fields: RATINGS,
        isUnarmed: true,
        tags: () => '',
      });
      const chunk = `${base}/embed/ui.000000000000.js`;
      const { page, form } = visit;
      const open = (closes: boolean) =>
        page.evaluate<void>(`import('${chunk}').then(async ({ openModal }) => {
          const form = await (await fetch('${base}/embed/forms/${form.id}.json')).json();
          window.kinds = [];
          const modal = openModal({ form, base: '${base}', prefill: false, page: false, onConverted() {}, onClose: (kind) => kinds.push(kind) });
          if (${closes}) modal.close();
        })`);
      await open(true);
      expect(await page.evaluate('kinds')).toEqual(['other']);
      await open(false);
      await page.waitForSelector('dialog[open] .stars');
      await page.keyboard.press('Escape');
      await page.waitForFunction('kinds.length === 1');
      expect(await page.evaluate('kinds')).toEqual(['passive']);
    });
  });
}

/** Waits until the element has the computed style. */
async function expectSoon({ page }: Visit, selector: string, property: string, value: string): Promise<void> {
  await page.waitForFunction(
    ([where, name, wanted]) => {
      const element = document.querySelector('svc-form')?.shadowRoot?.querySelector(where as string);
      return (
        element && (getComputedStyle(element) as never as Record<string, string>)[name as string] === wanted
      );
    },
    [selector, property, value],
    { timeout: 5000 },
  );
}
