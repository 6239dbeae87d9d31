import { READY_THEMES } from '@svcforms/contracts';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../lib/chromium.ts';
import { serve } from '../lib/http-load.ts';
import { createThemeForms, PLACEMENT_NAMES } from '../lib/theme-forms.ts';

/** The file names of the contact sheets, without their extension, by theme. */
export const SHEETS: ReadonlyMap<string, string> = new Map(
  READY_THEMES.map(({ name }) => [name, `theme-${name.toLowerCase()}`]),
);

const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  { viewport: { width: 900, height: 600 } },
  { viewport: { width: 390, height: 680 }, isMobile: true, hasTouch: true },
];
/** The height of a picture in the sheet, in pixels. */
const CELL = 216;

/**
 * Photographs the ready themes of these names in every placement, light and dark, in a wide window
 * and on a phone. Calls `save` with one picture for each theme.
 */
export async function photographThemes(
  baseUrl: string,
  apiKey: string,
  themes: readonly string[],
  save: (name: string, picture: Buffer) => void,
): Promise<void> {
  const forms = await createThemeForms(baseUrl, apiKey, themes);
  const siteUrl = await startPage(baseUrl);
  const browser = await launchChromium();
  for (const theme of themes) {
    const own = forms.filter((form) => form.theme === theme);
    const inline = own.find(({ placement }) => placement === 'inline');
    const rows = [
      ...own.map(({ placement, id }) => ({ name: PLACEMENT_NAMES[placement], url: `${siteUrl}/${id}` })),
      { name: 'Hosted page', url: `${baseUrl}/f/${inline?.id ?? ''}` },
    ];
    const cells = await photographRows(
      browser,
      rows.map(({ url }) => url),
    );
    const sheet = await browser.newPage({ viewport: { width: 1110, height: 800 } });
    await sheet.setContent(
      sheetHtml(
        theme,
        rows.map(({ name }, row) => ({ name, pictures: cells[row] ?? [] })),
      ),
    );
    await sheet.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    save(SHEETS.get(theme) ?? theme, await sheet.screenshot({ fullPage: true }));
    await sheet.close();
  }
  await browser.close();
}

/** Returns the pictures of each address: light wide, light phone, dark wide, dark phone. */
async function photographRows(browser: Browser, urls: readonly string[]): Promise<Buffer[][]> {
  const rows = urls.map((): Buffer[] => []);
  for (const colorScheme of SCHEMES) {
    for (const size of SIZES) {
      const context = await browser.newContext({
        ...size,
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en-GB',
      });
      const page = await context.newPage();
      for (const [row, url] of urls.entries()) {
        await show(page, url);
        rows[row]?.push(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
      }
      await context.close();
    }
  }
  return rows;
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
    const formId = encodeURIComponent(request.url?.slice(1) ?? '');
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Site</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <style>:root{color-scheme:light dark}body{margin:0 auto;max-width:40rem;padding:1.5rem 1rem;font:1rem/1.5 system-ui,sans-serif}
        h1{font-size:1.5rem;margin:0 0 1rem}i{display:block;height:.6rem;margin:0 0 .8rem;border-radius:9px;background:#8883}i:nth-of-type(4n){width:60%;margin-bottom:2rem}</style>
        </head><body><h1>The bakery at the corner</h1><i></i><i></i><i></i><i></i>
        <script src="${baseUrl}/embed.js" data-svc-form-id="${formId}"></script>${'<i></i>'.repeat(24)}</body></html>`);
  });
}

function sheetHtml(theme: string, rows: readonly { name: string; pictures: readonly Buffer[] }[]): string {
  const picture = (bytes: Buffer) => `<img src="data:image/png;base64,${bytes.toString('base64')}">`;
  return `<!doctype html><meta charset="utf-8"><style>
    body{margin:0;padding:20px;background:#e4e4e9;color:#222;font:14px/1.4 system-ui,sans-serif}
    h1{font-size:20px;margin:0 0 12px}
    div{display:grid;grid-template-columns:90px repeat(4,max-content);gap:12px;align-items:center}
    img{display:block;height:${CELL}px;border-radius:4px;box-shadow:0 0 0 1px #0002}
    </style><h1>${theme}</h1><div>${rows.map(({ name, pictures }) => `<b>${name}</b>${pictures.map(picture).join('')}`).join('')}</div>`;
}
