import type { AttemptResult } from '@svcforms/outbound';
import { decideOutcome } from './decide-outcome.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const policy = { retryScheduleSeconds: [60, 300] };

const response = (status: number, retryAfter?: string): AttemptResult => ({
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: '',
  durationMs: 1,
});

/** Without jitter by default. */
const decide = (result: AttemptResult, attemptsBefore = 0, random = 0.5) =>
  decideOutcome(result, { attemptsBefore, policy, now: NOW, random: () => random });

describe('the outcome of an attempt', () => {
  it.each([200, 201, 204, 299])('is delivered when the endpoint returns %d', (status) => {
    expect(decide(response(status))).toEqual({ kind: 'delivered' });
  });

  it.each([199, 300, 301, 307, 400, 401, 404, 409, 429, 500, 502, 503])(
    'is a retry when the endpoint returns %d',
    (status) => {
      expect(decide(response(status))).toEqual({ kind: 'retry', at: NOW + MINUTE });
    },
  );

  it.each(['dns', 'connect', 'tls', 'timeout', 'reset', 'blocked_target', 'protocol', 'not_sent'] as const)(
    'is a retry when there is no response: %s',
    (error) => {
      expect(decide({ error, message: '', durationMs: 1 })).toEqual({ kind: 'retry', at: NOW + MINUTE });
    },
  );

  it.each([
    { attemptsBefore: 0, expected: { kind: 'retry', at: NOW + MINUTE } },
    { attemptsBefore: 1, expected: { kind: 'retry', at: NOW + 5 * MINUTE } },
    { attemptsBefore: 2, expected: { kind: 'failed' } },
    { attemptsBefore: 9, expected: { kind: 'failed' } },
  ])(
    'follows the schedule after $attemptsBefore attempts: $expected.kind',
    ({ attemptsBefore, expected }) => {
      expect(decide(response(500), attemptsBefore)).toEqual(expected);
    },
  );

  it.each([
    { random: 0, at: NOW + 48 * SECOND },
    { random: 1, at: NOW + 72 * SECOND },
  ])('varies the pause by at most a fifth (random $random)', ({ random, at }) => {
    expect(decide(response(500), 0, random)).toEqual({ kind: 'retry', at });
  });

  it('disables the webhook when the endpoint returns 410 on any attempt', () => {
    expect(decide(response(410))).toEqual({ kind: 'gone' });
    expect(decide(response(410), 2)).toEqual({ kind: 'gone' });
  });
});

describe('a Retry-After header', () => {
  const inTwoHours = new Date(NOW + 120 * MINUTE).toUTCString();

  it.each([
    { status: 503, header: '600', at: NOW + 10 * MINUTE },
    { status: 503, header: ' 600 ', at: NOW + 10 * MINUTE },
    { status: 503, header: inTwoHours, at: NOW + 120 * MINUTE },
    { status: 503, header: 'Saturday, 21-Nov-26 12:00:00 GMT', at: NOW + 120 * MINUTE },
    { status: 503, header: 'Sat Nov 21 12:00:00 2026', at: NOW + 120 * MINUTE },
    { status: 503, header: 'Tue Dec  1 10:00:00 2026', at: NOW + DAY },
    { status: 503, header: '999999999', at: NOW + DAY },
    { status: 503, header: 'Fri, 01 Jan 2100 00:00:00 GMT', at: NOW + DAY },
  ])('postpones the next attempt: $status with "$header"', ({ status, header, at }) => {
    expect(decide(response(status, header))).toEqual({ kind: 'retry', at });
  });

  it.each([
    { status: 503, header: '1', why: 'it is sooner than the schedule' },
    { status: 503, header: 'Sat, 21 Nov 2026 09:00:00 GMT', why: 'it has passed' },
    { status: 503, header: 'soon', why: 'it is neither seconds nor a date' },
    { status: 503, header: '600s', why: 'seconds have no unit' },
    { status: 503, header: 'Sat, 01 Jan 2100', why: "it isn't an HTTP date" },
    { status: 503, header: 'Sat, 99 Nov 2026 12:00:00 GMT', why: 'there is no such day' },
    { status: 503, header: 'on Sat, 21 Nov 2026 12:00:00 GMT', why: 'text precedes the date' },
    { status: 503, header: 'Sat, 21 Nov 2026 12:00:00 GMT-0100', why: 'text follows the date' },
    { status: 503, header: 'on Saturday, 21-Nov-26 12:00:00 GMT', why: 'text precedes the date' },
    { status: 503, header: 'Saturday, 21-Nov-26 12:00:00 GMT-0100', why: 'text follows the date' },
    { status: 503, header: 'on Sat Nov 21 12:00:00 2026', why: 'text precedes the date' },
    { status: 503, header: 'Sat Nov 21 12:00:00 2026 (noon)', why: 'text follows the date' },
    { status: 503, header: '-1', why: 'it is negative' },
    { status: 503, header: '1.5', why: 'seconds are whole' },
    { status: 500, header: '600', why: 'the status has no Retry-After' },
    { status: 301, header: '600', why: 'the status has no Retry-After' },
  ])('changes nothing on $status with "$header": $why', ({ status, header }) => {
    expect(decide(response(status, header))).toEqual({ kind: 'retry', at: NOW + MINUTE });
  });

  it('pauses the whole webhook on 429', () => {
    const at = NOW + 10 * MINUTE;
    expect(decide(response(429, '600'))).toEqual({ kind: 'retry', at, pauseUntil: at });
    expect(decide(response(429, '5'))).toEqual({
      kind: 'retry',
      at: NOW + MINUTE,
      pauseUntil: NOW + 5 * SECOND,
    });
  });

  it('adds no attempt to the schedule, but pauses the webhook on 429', () => {
    expect(decide(response(503, '600'), 2)).toEqual({ kind: 'failed' });
    expect(decide(response(429, '600'), 2)).toEqual({ kind: 'failed', pauseUntil: NOW + 10 * MINUTE });
  });
});
