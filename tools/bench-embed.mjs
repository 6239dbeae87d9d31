// npm run bench:embed [-- loads]: what the embed costs the main thread of a page until it is armed, and how long it takes to arm once
// the form is there, both on a processor four times slower, in Debian's Chromium (CHROMIUM_PATH names another). Every load is the
// first of its browser profile. Prints a line for each case.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from './chromium.mjs';
import { API_KEY, startMeasured, stopAll } from './measured-product.mjs';
import { post } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

const CASES = {
  'exit, as it was saved': '',
  'all seven triggers':
    'data-svc-trigger="exit, scroll:50, click:.x, visible:.x, intent, inactivity:90000, delay:90000"',
};

ensureInstalled();
runTool('build');
const { transformSync } = await import('esbuild');
const { code } = transformSync(readFileSync(`${root}tests/browser/script-cost.ts`, 'utf8'), { loader: 'ts' });
const { costOfLoad, timeToArm } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const loads = Number(process.argv[2] ?? 30);
const folder = mkdtempSync(join(tmpdir(), 'svcforms-bench-'));
const { baseUrl } = await startMeasured('embedded', { folder, settings: { LOG_LEVEL: 'warn' } });
try {
  await measureAll();
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

async function measureAll() {
  const popup = { enabled: true, trigger: 'exit' };
  const form = await post(`${baseUrl}/api/forms`, API_KEY, { name: 'Bench', settings: { popup } });
  const browser = await launchChromium();
  for (const [name, attributes] of Object.entries(CASES)) {
    const siteUrl = await startSite(
      `<script async src="${baseUrl}/embed.js" data-svc-form-id="${form.id}" ${attributes}></script>`,
    );
    const costs = [];
    for (let i = 0; i < loads; i++) {
      const first = async (measure) => {
        const context = await browser.newContext();
        const measured = await measure(await context.newPage());
        await context.close();
        return measured;
      };
      const { evaluating, arming } = await first((page) => costOfLoad(page, siteUrl, `${baseUrl}/embed.js`));
      costs.push({ evaluating, answering: arming, arming: await first((page) => timeToArm(page, siteUrl)) });
    }
    const columns = Object.entries({
      evaluating: 'processor: compile and run the script',
      answering: 'take the answer and arm',
      arming: 'time from the form to armed',
    }).map(([part, title]) => {
      const sorted = costs.map((cost) => cost[part]).sort((one, other) => one - other);
      const at = (share) => sorted[Math.floor((sorted.length - 1) * share)].toFixed(1);
      return `${title} ${at(0)} / ${at(0.5)} / ${at(0.9)}`;
    });
    console.log(`${name}: ms, least / median / p90 of ${loads}; ${columns.join('; ')}`);
  }
  await browser.close();
}

async function startSite(tag) {
  const html = `<!doctype html><html lang="en"><head><title>x</title>${tag}</head><body><h1>x</h1><p class="x">x</p></body></html>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}/`;
}
