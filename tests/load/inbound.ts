// Other systems post submissions, and each is delivered as a signed webhook.
import http from 'k6/http';
import { check } from 'k6';
import type { Options } from 'k6/options';
import { steadily, TREND_STATS } from './lib/options.ts';
import {
  acceptedBy,
  BASE_URL,
  countAccepted,
  createInboundForm,
  scaled,
  thresholds,
  values,
} from './lib/product.ts';
import { takeDeliveries } from './lib/sink.ts';

export const options: Options = {
  scenarios: { inbound: steadily(scaled(200, 20), { preAllocatedVUs: 50, maxVUs: 200 }) },
  summaryTrendStats: TREND_STATS,
  thresholds: thresholds(
    {
      checks: ['rate==1'],
      dropped_iterations: ['count==0'],
      lost: ['count<=0'],
      delivered: ['rate==1'],
    },
    {
      'http_req_duration{name:inbound}': ['p(99)<=50'],
      delivery_ms: ['med<=20', 'p(99)<=250'],
    },
  ),
};

interface Setup {
  formId: string;
  token: string;
  mark: string;
}

export function setup(): Setup {
  const mark = `inbound-${Date.now()}`;
  return { ...createInboundForm(mark), mark };
}

export default function inbound({ formId, token }: Setup): void {
  const response = http.post(`${BASE_URL}/api/inbound/${formId}`, JSON.stringify(values()), {
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    tags: { name: 'inbound' },
  });
  if (check(response, { 'is accepted': ({ status }) => status === 202 })) countAccepted();
}

export function teardown({ formId, mark }: Setup): void {
  takeDeliveries(mark, acceptedBy(formId));
}
