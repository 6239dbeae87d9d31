// Agents create tasks and reviewers decide them, while event streams are open.
import http from 'k6/http';
import { check, fail } from 'k6';
import type { Options } from 'k6/options';
import { steadily, TREND_STATS } from './lib/options.ts';
import {
  acceptedBy,
  authorized,
  BASE_URL,
  bodyOf,
  countAccepted,
  create,
  createForm,
  scaled,
  thresholds,
  SINK_URL,
  values,
} from './lib/product.ts';
import { takeFrames } from './lib/sink.ts';

/** A key may have ten streams. */
const KEYS = scaled(10, 1);
const STREAMS_PER_KEY = 10;

export const options: Options = {
  scenarios: { reviews: steadily(scaled(20, 5), { preAllocatedVUs: 30, maxVUs: 100 }) },
  summaryTrendStats: TREND_STATS,
  thresholds: thresholds(
    {
      checks: ['rate==1'],
      lost: ['count<=0'],
      framed: ['rate==1'],
    },
    {
      'http_req_duration{name:ask}': ['p(99)<=100'],
      'http_req_duration{name:decide}': ['p(99)<=100'],
      frame_ms: ['med<=50', 'p(99)<=500'],
    },
  ),
};

interface Setup {
  formId: string;
  mark: string;
}

export function setup(): Setup {
  const mark = `stream-${Date.now()}`;
  const { formId } = createForm(mark);
  for (let i = 0; i < KEYS; i++) {
    const { key } = create<{ key: string }>('/api/keys', { name: mark, scopes: ['events:read'] });
    const opened = http.post(
      `${SINK_URL}/streams/${mark}`,
      JSON.stringify({
        url: `${BASE_URL}/api/mcp/events/hitl.task.completed`,
        token: key,
        count: STREAMS_PER_KEY,
      }),
      { tags: { name: 'sink' } },
    );
    if (opened.status !== 204) fail(`the streams did not open: ${bodyOf(opened)}`);
  }
  return { formId, mark };
}

export default function review({ formId }: Setup): void {
  const created = http.post(
    `${BASE_URL}/api/mcp/tasks`,
    JSON.stringify({ templateId: formId, title: 'Ship it?', decisionMode: 'form' }),
    { headers: authorized, tags: { name: 'ask' } },
  );
  if (!check(created, { 'task is created': ({ status }) => status === 201 })) return;
  const { data } = created.json() as unknown as { data: { id: string } };
  const decided = http.post(
    `${BASE_URL}/api/mcp/tasks/${data.id}/decision`,
    JSON.stringify({ outcome: 'submitted', fields: values() }),
    { headers: authorized, tags: { name: 'decide' } },
  );
  if (check(decided, { 'task is resolved': ({ status }) => status === 200 })) countAccepted();
}

export function teardown({ formId, mark }: Setup): void {
  takeFrames(mark, acceptedBy(formId) * KEYS * STREAMS_PER_KEY);
}
