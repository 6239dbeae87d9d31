// npm run example: the product on a temporary folder, and a site with a page for each way to show a
// form. Runs until it is interrupted.
import { atEnd, newApiKey, root, startProcess } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { post } from '../lib/api.ts';
import { serve } from '../lib/http-load.ts';
import { runTool } from '../lib/tool.ts';
import { createGallery } from './gallery.ts';
import { buildProduct } from '../setup/install.mjs';

interface Page {
  title: string;
  popup?: object;
  /** Instead of the fields that most pages have. */
  fields?: object[];
  settings?: object;
}

const SITE = `${root}examples/site`;
const FIELDS = [
  { name: 'email', type: 'email', label: 'Email', required: true },
  { name: 'rating', type: 'rating', label: 'How do you like this page?' },
  { name: 'message', type: 'textarea', label: 'Message', showIf: { field: 'rating', equals: 5 } },
];

await runTool(
  async () => {
    buildProduct();
    const apiKey = newApiKey();
    const product = await startProcess('standalone', {
      env: { SVC_BOOTSTRAP_API_KEY: apiKey },
      output: 'errors-shown',
    });
    // The product stops in order before its folder is removed.
    atEnd(() => product.stop());
    const pages = JSON.parse(readFileSync(`${SITE}/forms.json`, 'utf8')) as Record<string, Page>;
    const formIds = new Map<string, string>();
    for (const [name, { title, popup, fields = FIELDS, settings: own }] of Object.entries(pages)) {
      // Once a session instead of once a month, so that a new tab shows the popup again.
      const settings = popup ? { popup: { enabled: true, frequencyDays: 0, ...popup } } : own;
      const form = await post(product.url, apiKey, '/api/forms', { name: title, fields, settings });
      formIds.set(name, form.id);
    }
    const nav = Object.entries(pages)
      .map(([name, { title }]) => `<a href="/${name}">${title}</a>`)
      .join(' ');
    const values = { base: product.url, nav, gallery: await createGallery(product.url, apiKey) };
    const siteUrl = await serve(createSite(formIds, values), Number(process.env['EXAMPLE_PORT'] ?? 0));
    console.log(`The example site is at ${siteUrl}/ (Ctrl+C ends it)`);
    await product.exited;
    return 1;
  },
  { interrupted: 0 },
);

function createSite(
  formIds: ReadonlyMap<string, string>,
  values: Readonly<Record<'base' | 'nav' | 'gallery', string>>,
): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const name = pathname === '/' ? 'delay' : pathname.slice(1);
    const formId = formIds.get(name);
    if (name === 'style.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(readFileSync(`${SITE}/style.css`));
    } else if (formId !== undefined || name === 'gallery') {
      const html = Object.entries({ ...values, form: formId ?? '' }).reduce(
        (text, [key, value]) => text.replaceAll(`{{${key}}}`, value),
        readFileSync(`${SITE}/${name}.html`, 'utf8'),
      );
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    } else {
      response.writeHead(404).end();
    }
  };
}
