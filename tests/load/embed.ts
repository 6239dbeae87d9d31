// Pages load the script and the definition of a form. As browsers do, most of them revalidate a
// copy.
import http from 'k6/http';
import { check } from 'k6';
import type { Options } from 'k6/options';
import { TREND_STATS } from './lib/options.ts';
import { BASE_URL, createForm, scaled, thresholds } from './lib/product.ts';

export const options: Options = {
  scenarios: {
    pages: { executor: 'constant-vus', vus: scaled(32, 4), duration: `${scaled(30, 3)}s` },
  },
  summaryTrendStats: TREND_STATS,
  thresholds: thresholds(
    {
      checks: ['rate==1'],
    },
    {
      'http_req_duration{name:script}': ['p(99)<=100'],
      'http_req_duration{name:form}': ['p(99)<=100'],
    },
  ),
};

interface Setup {
  formUrl: string;
  formTag: string;
  scriptTag: string;
}

export function setup(): Setup {
  const { formId } = createForm(`embed-${Date.now()}`);
  const formUrl = `${BASE_URL}/embed/forms/${formId}.json`;
  const tagOf = (url: string) => http.get(url, { tags: { name: 'setup' } }).headers['Etag'] ?? '';
  return { formUrl, formTag: tagOf(formUrl), scriptTag: tagOf(`${BASE_URL}/embed.js`) };
}

export default function loadPage({ formUrl, formTag, scriptTag }: Setup): void {
  const script = http.get(`${BASE_URL}/embed.js`, {
    headers: { 'Accept-Encoding': 'gzip' },
    tags: { name: 'script' },
  });
  const form = http.get(formUrl, { headers: { 'Accept-Encoding': 'gzip' }, tags: { name: 'form' } });
  const sameScript = http.get(`${BASE_URL}/embed.js`, {
    headers: { 'If-None-Match': scriptTag },
    tags: { name: 'script' },
  });
  const sameForm = http.get(formUrl, { headers: { 'If-None-Match': formTag }, tags: { name: 'form' } });
  check(script, { 'has the script': ({ status }) => status === 200 });
  check(form, { 'has the form': ({ status }) => status === 200 });
  check(sameScript, { 'knows that the script is the same': ({ status }) => status === 304 });
  check(sameForm, { 'knows that the form is the same': ({ status }) => status === 304 });
}
