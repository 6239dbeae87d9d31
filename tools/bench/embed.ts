// npm run bench:embed [-- loads]: the time that the embed costs the main thread of a page until it
// is armed, and the time from the form's response until it is armed, both on a processor four times
// slower, in Debian's Chromium (CHROMIUM_PATH names another). Every load is the first of its
// browser profile. Prints a line for each case.
import type { Page } from 'playwright-core';
import { costOfLoad, timeToArm } from '../../tests/browser/script-cost.ts';
import { post } from '../lib/api.ts';
import { launchChromium } from '../lib/chromium.ts';
import { serve } from '../lib/http-load.ts';
import { API_KEY, startMeasuredProduct } from '../lib/measured-product.ts';
import { runTool } from '../lib/tool.ts';
import { buildProduct } from '../setup/install.mjs';

/** Attributes of the script tag by the name of the case. */
const CASES = {
  'exit trigger of the form': '',
  'all seven triggers':
    'data-svc-trigger="exit, scroll:50, click:.x, visible:.x, intent, inactivity:90000, delay:90000"',
};
const COLUMNS = {
  evaluating: 'processor: compile and run the script',
  responding: 'take the response and arm',
  arming: 'time from the form to armed',
};

const loads = Number(process.argv[2] ?? 30);

await runTool(async () => {
  buildProduct();
  const { baseUrl } = await startMeasuredProduct('embedded', { settings: { LOG_LEVEL: 'warn' } });
  const settings = { popup: { enabled: true, trigger: 'exit' } };
  const form = await post(baseUrl, API_KEY, '/api/forms', { name: 'Bench', settings });
  const browser = await launchChromium();
  const onFirstLoad = async <T>(measure: (page: Page) => Promise<T>): Promise<T> => {
    const context = await browser.newContext();
    const measured = await measure(await context.newPage());
    await context.close();
    return measured;
  };
  for (const [name, attributes] of Object.entries(CASES)) {
    const siteUrl = await startSite(
      `<script async src="${baseUrl}/embed.js" data-svc-form-id="${form.id}" ${attributes}></script>`,
    );
    const costs: Record<keyof typeof COLUMNS, number>[] = [];
    for (let i = 0; i < loads; i++) {
      const { evaluating, arming } = await onFirstLoad((page) =>
        costOfLoad(page, siteUrl, `${baseUrl}/embed.js`),
      );
      const untilArmed = await onFirstLoad((page) => timeToArm(page, siteUrl));
      costs.push({ evaluating, responding: arming, arming: untilArmed });
    }
    const columns = Object.entries(COLUMNS).map(([part, title]) => {
      const sorted = costs.map((cost) => cost[part as keyof typeof COLUMNS]).toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(1);
      return `${title} ${at(0)} / ${at(0.5)} / ${at(0.9)}`;
    });
    console.log(`${name}: ms, least / median / p90 of ${loads}; ${columns.join('; ')}`);
  }
});

async function startSite(scriptTag: string): Promise<string> {
  const html = `<!doctype html><html lang="en"><head><title>x</title>${scriptTag}</head><body><h1>x</h1><p class="x">x</p></body></html>`;
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  return `${url}/`;
}
