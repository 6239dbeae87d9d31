// All scripts at once, with the load of a day: a quiet night, a rise, a peak, an evening.
import type { Options, Scenario } from 'k6/options';
import loadPage, { setup as setUpEmbed } from './embed.ts';
import inbound, { setup as setUpInbound, teardown as tearDownInbound } from './inbound.ts';
import review, { setup as setUpStream, teardown as tearDownStream } from './stream.ts';
import visit, { setup as setUpSubmissions, teardown as tearDownSubmissions } from './submissions.ts';
import { TREND_STATS } from './lib/options.ts';
import { scaled, thresholds } from './lib/product.ts';

const HOUR = scaled(7.5, 0.5);

/** A day with `peak` iterations a second in its busiest hours. */
function day(exec: string, peak: number): Scenario {
  const stage = (hours: number, share: number) => ({
    duration: `${hours * HOUR}s`,
    target: Math.ceil(scaled(peak, peak / 5) * share),
  });
  return {
    executor: 'ramping-arrival-rate',
    exec,
    startRate: 1,
    preAllocatedVUs: 20,
    maxVUs: 150,
    stages: [stage(6, 0.1), stage(4, 0.7), stage(4, 1), stage(4, 1), stage(4, 0.4), stage(2, 0.1)],
  };
}

export const options: Options = {
  scenarios: {
    inbound: day('fromSystems', 60),
    visitors: day('fromVisitors', 30),
    reviews: day('fromReviewers', 6),
    pages: day('fromPages', 50),
  },
  setupTimeout: '2m',
  teardownTimeout: '2m',
  summaryTrendStats: TREND_STATS,
  thresholds: thresholds(
    {
      checks: ['rate==1'],
      lost: ['count<=0'],
      delivered: ['rate==1'],
      framed: ['rate==1'],
    },
    {
      'http_req_duration{name:inbound}': ['p(99)<=250'],
      'http_req_duration{name:submit}': ['p(99)<=250'],
      delivery_ms: ['med<=50', 'p(99)<=1000'],
      frame_ms: ['p(99)<=1000'],
    },
  ),
};

export function setup() {
  return {
    inbound: setUpInbound(),
    visitors: setUpSubmissions(),
    reviews: setUpStream(),
    pages: setUpEmbed(),
  };
}

type Setup = ReturnType<typeof setup>;

export const fromSystems = (given: Setup): void => inbound(given.inbound);
export const fromVisitors = (given: Setup): void => visit(given.visitors);
export const fromReviewers = (given: Setup): void => review(given.reviews);
export const fromPages = (given: Setup): void => loadPage(given.pages);

export function teardown(given: Setup): void {
  tearDownInbound(given.inbound);
  tearDownSubmissions(given.visitors);
  tearDownStream(given.reviews);
}
