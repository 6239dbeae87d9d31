import type { Browser } from 'playwright-core';

/** A row or cell of a contact sheet: screenshots (PNG) beside each other, with what they show. */
export interface SheetEntry {
  name: string;
  screenshots: readonly Buffer[];
}

export interface SheetLayout {
  /** The height of each screenshot, in pixels. */
  screenshotHeight: number;
  /** Entries beside each other; with one, the names are at the left. */
  columns: number;
}

/** Returns one picture with all entries, 20 pixels apart from its edges. */
export async function drawContactSheet(
  browser: Browser,
  title: string,
  entries: readonly SheetEntry[],
  layout: SheetLayout,
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
  await page.setContent(sheetHtml(title, entries, layout));
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const picture = await page.locator('main').screenshot();
  await page.close();
  return picture;
}

function sheetHtml(
  title: string,
  entries: readonly SheetEntry[],
  { screenshotHeight, columns }: SheetLayout,
): string {
  const image = (bytes: Buffer) => `<img src="data:image/png;base64,${bytes.toString('base64')}">`;
  const figures = entries.map(
    ({ name, screenshots }) =>
      `<figure><figcaption>${name}</figcaption><div>${screenshots.map(image).join('')}</div></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><style>
    body{margin:0}
    main{display:inline-block;padding:20px;background:#e4e4e9;color:#222;font:14px/1.4 system-ui,sans-serif}
    h1{font-size:20px;margin:0 0 12px}
    section{display:grid;grid-template-columns:repeat(${columns},max-content);gap:${columns === 1 ? 12 : 24}px}
    figure{margin:0;${columns === 1 ? 'display:grid;grid-template-columns:90px max-content;gap:12px;align-items:center' : ''}}
    figcaption{font-weight:bold;${columns === 1 ? '' : 'margin-bottom:6px'}}
    div{display:flex;gap:12px}
    img{display:block;height:${screenshotHeight}px;border-radius:4px;box-shadow:0 0 0 1px #0002}
    </style><main><h1>${title}</h1><section>${figures.join('')}</section></main>`;
}
