// Visitors load a form and submit it.
import http from 'k6/http';
import { check } from 'k6';
import type { Options } from 'k6/options';
import { steadily, TREND_STATS } from './lib/options.ts';
import {
  acceptedBy,
  BASE_URL,
  countAccepted,
  createForm,
  scaled,
  thresholds,
  values,
} from './lib/product.ts';
import { takeDeliveries } from './lib/sink.ts';

export const options: Options = {
  scenarios: { visitors: steadily(scaled(100, 10), { preAllocatedVUs: 50, maxVUs: 200 }) },
  summaryTrendStats: TREND_STATS,
  thresholds: thresholds(
    {
      checks: ['rate==1'],
      dropped_iterations: ['count==0'],
      lost: ['count<=0'],
      delivered: ['rate==1'],
    },
    {
      'http_req_duration{name:submit}': ['p(99)<=50'],
      'http_req_duration{name:count}': ['p(99)<=50'],
      delivery_ms: ['med<=20', 'p(99)<=250'],
    },
  ),
};

interface Setup {
  formId: string;
  mark: string;
}

export function setup(): Setup {
  const mark = `submissions-${Date.now()}`;
  return { ...createForm(mark), mark };
}

export default function visit({ formId }: Setup): void {
  const form = `${BASE_URL}/api/forms/${formId}`;
  const count = (type: string) =>
    http.post(`${form}/events`, JSON.stringify({ type }), {
      headers: { 'Content-Type': 'text/plain' },
      tags: { name: 'count' },
    });
  const shown = count('shown');
  const submitted = http.post(`${form}/submissions`, JSON.stringify({ data: values() }), {
    headers: { 'Content-Type': 'application/json' },
    tags: { name: 'submit' },
  });
  const converted = count('converted');
  if (check(submitted, { 'is accepted': ({ status }) => status === 201 })) countAccepted();
  check(shown, { 'is counted as shown': ({ status }) => status === 204 });
  check(converted, { 'is counted as converted': ({ status }) => status === 204 });
}

export function teardown({ formId, mark }: Setup): void {
  takeDeliveries(mark, acceptedBy(formId));
}
