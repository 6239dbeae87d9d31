import { readInput } from '../api/read-input.ts';
import { EVENT_TYPES } from './events.ts';
import { AccountWebhookIn, AccountWebhookPatch, WebhookIn, WebhookPatch } from './webhook.ts';

const url = 'https://example.com/hook';
const valid = { url, events: ['form.submission.new'] };

describe('WebhookIn', () => {
  it('is enabled by default', () => {
    expect(WebhookIn.parse(valid)).toEqual({ ...valid, isEnabled: true });
    expect(WebhookIn.parse({ ...valid, isEnabled: false })).toEqual({ ...valid, isEnabled: false });
  });

  it('removes repeated event types', () => {
    const events = ['decision.approved', 'submission.created', 'decision.approved'];
    expect(WebhookIn.parse({ url, events }).events).toEqual(['decision.approved', 'submission.created']);
  });

  it('accepts every event type of a form', () => {
    const events = [
      'form.submission.new',
      'submission.created',
      'decision.requested',
      'decision.approved',
      'decision.rejected',
    ];
    expect(WebhookIn.parse({ url, events }).events).toEqual(events);
  });

  it.each(['hitl.task.created', 'hitl.task.completed', 'hitl.task.expired', 'hitl.task.cancelled'])(
    'names account webhooks, the event stream and the callback for %s',
    (type) => {
      expect(readInput(WebhookIn, { url, events: ['form.submission.new', type] })).toEqual({
        ok: false,
        issues: [
          {
            pointer: '/events/1',
            message: expect.stringContaining(
              `account webhook (POST /api/webhooks), read it from the event stream GET /api/mcp/events/${type}, or set the callbackUrl`,
            ) as string,
          },
        ],
      });
    },
  );

  it.each([
    ['a missing URL', { events: valid.events }, '/url', /is required/],
    ['a value that is not a URL', { ...valid, url: 'example.com' }, '/url', /starts with https/],
    [
      'a URL of 2049 characters',
      { ...valid, url: `${url}/${'a'.repeat(2048 - url.length)}` },
      '/url',
      /at most 2048/,
    ],
    ['missing events', { url }, '/events', /is required/],
    ['an empty list of events', { url, events: [] }, '/events', /at least 1 entry/],
    [
      'an unknown event',
      { url, events: ['form.deleted'] },
      '/events/0',
      /^must be one of: form\.submission\.new, /,
    ],
    ['an event that is not text', { url, events: [1] }, '/events/0', /^must be one of/],
    ['a short secret', { ...valid, secret: 'a'.repeat(15) }, '/secret', /at least 16/],
    ['a long secret', { ...valid, secret: 'a'.repeat(257) }, '/secret', /at most 256/],
    ['an unknown key', { ...valid, enabled: true }, '/enabled', /unknown key/],
  ])('refuses %s', (_, webhook, pointer, message) => {
    expect(readInput(WebhookIn, webhook)).toEqual({
      ok: false,
      issues: [{ pointer, message: expect.stringMatching(message) as string }],
    });
  });

  it.each(['', null])('accepts the secret %j', (secret) => {
    expect(WebhookIn.parse({ ...valid, secret }).secret).toBe(secret);
  });

  it('refuses a secret that is not text', () => {
    expect(readInput(WebhookIn, { ...valid, secret: 7 })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/secret' }],
    });
  });

  it.each([16, 256])('accepts a secret of %d characters', (length) => {
    expect(WebhookIn.parse({ ...valid, secret: 'a'.repeat(length) }).secret).toHaveLength(length);
  });
});

describe('WebhookPatch', () => {
  it('has no defaults', () => {
    expect(WebhookPatch.parse({})).toEqual({});
    expect(WebhookPatch.parse({ isEnabled: true, description: null })).toEqual({
      isEnabled: true,
      description: null,
    });
  });

  it.each([
    [{ url: null }, '/url'],
    [{ events: [] }, '/events'],
    [{ secret: 'a'.repeat(20) }, '/secret'],
    [{ isEnabled: null }, '/isEnabled'],
  ])('refuses %j', (patch, pointer) => {
    expect(readInput(WebhookPatch, patch)).toMatchObject({ ok: false, issues: [{ pointer }] });
  });
});

describe('AccountWebhookIn', () => {
  it('accepts every event type and a list of forms', () => {
    const webhook = { url, events: [...EVENT_TYPES], forms: ['frm_1'] };
    expect(AccountWebhookIn.parse(webhook)).toEqual({ ...webhook, isEnabled: true });
    expect(AccountWebhookIn.parse(valid)).not.toHaveProperty('forms');
  });

  it.each([
    [{ ...valid, forms: 'frm_1' }, '/forms'],
    [{ ...valid, forms: [1] }, '/forms/0'],
    [{ ...valid, forms: Array.from({ length: 1001 }, () => 'frm_1') }, '/forms'],
    [{ ...valid, events: ['hitl.task.deleted'] }, '/events/0'],
    [{ ...valid, formId: 'frm_1' }, '/formId'],
  ])('refuses %#', (webhook, pointer) => {
    expect(readInput(AccountWebhookIn, webhook)).toMatchObject({ ok: false, issues: [{ pointer }] });
  });
});

describe('AccountWebhookPatch', () => {
  it('takes a list of forms, and null for all forms', () => {
    expect(AccountWebhookPatch.parse({ forms: [] })).toEqual({ forms: [] });
    expect(AccountWebhookPatch.parse({ forms: null })).toEqual({ forms: null });
    expect(AccountWebhookPatch.parse({})).toEqual({});
  });
});
