import { READY_THEMES, type Placement } from '@svcforms/contracts';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../lib/chromium.ts';
import { serve } from '../lib/http-load.ts';
import { createThemeForms, PLACEMENT_NAMES } from '../lib/theme-forms.ts';
import { drawContactSheet, type SheetEntry } from './contact-sheet.ts';

/** The file names of the contact sheets, without their extension, by theme. */
export const SHEETS: ReadonlyMap<string, string> = new Map(
  READY_THEMES.map(({ name }) => [name, `theme-${name.toLowerCase()}`]),
);

const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  { viewport: { width: 900, height: 600 } },
  { viewport: { width: 390, height: 680 }, isMobile: true, hasTouch: true },
];
/** The height of a screenshot in the sheet, in pixels. */
const SCREENSHOT_HEIGHT = 216;
/** One row of each sheet is in this language. */
const ARABIC = 'ar';

/**
 * Captures the ready themes of these names in every placement, light and dark, in a wide window
 * and on a phone; one row is in Arabic. Calls `save` with one sheet for each theme.
 */
export async function captureThemes(
  baseUrl: string,
  apiKey: string,
  themes: readonly string[],
  save: (name: string, sheet: Buffer) => Promise<void>,
): Promise<void> {
  const forms = await createThemeForms(baseUrl, apiKey, themes);
  const siteUrl = await startPage(baseUrl);
  const browser = await launchChromium();
  for (const theme of themes) {
    const own = forms.filter((form) => form.theme === theme);
    const idOf = (wanted: Placement) => own.find(({ placement }) => placement === wanted)?.id ?? '';
    const rows = [
      ...own.map(({ placement, id }) => ({ name: PLACEMENT_NAMES[placement], url: `${siteUrl}/${id}` })),
      { name: 'Hosted page', url: `${baseUrl}/f/${idOf('inline')}` },
      { name: 'Slide-in in Arabic', url: `${siteUrl}/${idOf('slide-in')}?${ARABIC}` },
    ];
    const entries: SheetEntry[] = [];
    for (const { name, url } of rows) entries.push({ name, screenshots: await captureEach(browser, url) });
    const layout = { screenshotHeight: SCREENSHOT_HEIGHT, columns: 1 };
    await save(SHEETS.get(theme) ?? theme, await drawContactSheet(browser, theme, entries, layout));
  }
  await browser.close();
}

/** Returns the screenshots of an address: light wide, light phone, dark wide, dark phone. */
async function captureEach(browser: Browser, url: string): Promise<Buffer[]> {
  const screenshots: Buffer[] = [];
  for (const colorScheme of SCHEMES) {
    for (const size of SIZES) {
      // A new page for each screenshot, because a popup opens once in a session.
      const page = await browser.newPage({
        ...size,
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
      });
      await show(page, url);
      screenshots.push(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
      await page.close();
    }
  }
  return screenshots;
}

async function show(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector('svc-form form');
  // A modal shows where its focus is, which would differ from the other placements.
  await page.evaluate(() => {
    const active = document.querySelector('svc-form')?.shadowRoot?.activeElement;
    if (active instanceof HTMLElement) active.blur();
  });
}

/** A page of a site, whose text is drawn as bars, so that the forms stand out. */
async function startPage(baseUrl: string): Promise<string> {
  return serve((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    const formId = encodeURIComponent(pathname.slice(1));
    const isArabic = search === `?${ARABIC}`;
    const html = isArabic ? `<html lang="${ARABIC}" dir="rtl">` : '<html lang="en">';
    const title = isArabic ? 'المخبز عند الزاوية' : 'The bakery at the corner';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html>${html}<head><meta charset="utf-8"><title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style>:root{color-scheme:light dark}body{margin:0 auto;max-width:40rem;padding:1.5rem 1rem;font:1rem/1.5 system-ui,sans-serif}
        h1{font-size:1.5rem;margin:0 0 1rem}i{display:block;height:.6rem;margin:0 0 .8rem;border-radius:9px;background:#8883}i:nth-of-type(4n){width:60%;margin-bottom:2rem}</style>
        </head><body><h1>${title}</h1><i></i><i></i><i></i><i></i>
        <script src="${baseUrl}/embed.js" data-svc-form-id="${formId}"></script>${'<i></i>'.repeat(24)}</body></html>`);
  });
}
