// npm run example: the product on a temporary folder, and beside it a site with a page for each way to show a form. Runs until
// it is interrupted.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post, startProduct } from './product.mjs';
import { ensureInstalled, root, runTool } from './setup.mjs';

ensureInstalled();
runTool('build');

const site = `${root}examples/site`;
const pages = JSON.parse(readFileSync(`${site}/forms.json`, 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'svcforms-example-'));
const apiKey = `svc_key_${randomBytes(32).toString('base64url')}`;
const { child, baseUrl } = await startProduct('standalone', {
  env: { SVC_DATA_DIR: folder, SVC_BOOTSTRAP_API_KEY: apiKey, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
// However this ends, the product ends, and then its folder goes.
let isWanted = true;
child.once('exit', () => process.exit(isWanted ? 1 : 0));
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    isWanted = false;
    child.kill('SIGTERM');
  });
}
process.once('exit', () => {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const fields = [
  { name: 'email', type: 'email', label: 'E-mail', required: true },
  { name: 'rating', type: 'rating', label: 'How do you like this page?' },
  { name: 'message', type: 'textarea', label: 'Message', showIf: { field: 'rating', equals: 5 } },
];
for (const page of Object.values(pages)) {
  // Once a session instead of once a month, so that it can be tried again in a new tab.
  const popup = page.popup && { enabled: true, frequencyDays: 0, ...page.popup };
  const form = { name: page.title, fields, settings: popup ? { popup } : {} };
  page.formId = (await post(`${baseUrl}/api/forms`, apiKey, form)).id;
}

const nav = Object.entries(pages)
  .map(([name, { title }]) => `<a href="/${name}">${title}</a>`)
  .join(' ');

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://site');
  const name = pathname === '/' ? 'delay' : pathname.slice(1);
  if (name === 'style.css') {
    response.writeHead(200, { 'content-type': 'text/css' }).end(readFileSync(`${site}/style.css`));
  } else if (Object.hasOwn(pages, name)) {
    const html = readFileSync(`${site}/${name}.html`, 'utf8')
      .replaceAll('{{base}}', baseUrl)
      .replaceAll('{{form}}', pages[name].formId)
      .replaceAll('{{nav}}', nav);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  } else {
    response.writeHead(404).end();
  }
});
server.listen(Number(process.env.EXAMPLE_PORT ?? 0), '127.0.0.1', () => {
  console.log(`The example site is at http://127.0.0.1:${server.address().port}/ (Ctrl+C ends it)`);
});
