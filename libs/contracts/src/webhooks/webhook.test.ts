import { readInput } from '../api/read-input.ts';
import { WebhookIn, WebhookPatch } from './webhook.ts';

const url = 'https://example.com/hook';
const valid = { url, events: ['form.submission.new'] };

describe('a webhook that is sent', () => {
  it('is enabled unless it says otherwise', () => {
    expect(WebhookIn.parse(valid)).toEqual({ ...valid, isEnabled: true });
    expect(WebhookIn.parse({ ...valid, isEnabled: false })).toEqual({ ...valid, isEnabled: false });
  });

  it('keeps each event once', () => {
    const events = ['decision.approved', 'submission.created', 'decision.approved'];
    expect(WebhookIn.parse({ url, events }).events).toEqual(['decision.approved', 'submission.created']);
  });

  it('takes every event that a form has', () => {
    const events = [
      'form.submission.new',
      'submission.created',
      'decision.requested',
      'decision.approved',
      'decision.rejected',
    ];
    expect(WebhookIn.parse({ url, events }).events).toEqual(events);
  });

  it.each(['hitl.task.created', 'hitl.task.completed'])('names the event stream for %s', (type) => {
    expect(readInput(WebhookIn, { url, events: ['form.submission.new', type] })).toEqual({
      ok: false,
      issues: [
        {
          pointer: '/events/1',
          message: expect.stringContaining(`event stream GET /api/mcp/events/${type}.`) as string,
        },
      ],
    });
  });

  it.each([
    ['no url', { events: valid.events }, '/url', /is required/],
    ['no web address', { ...valid, url: 'example.com' }, '/url', /begins with https/],
    [
      'a url of 2049 characters',
      { ...valid, url: `${url}/${'a'.repeat(2048 - url.length)}` },
      '/url',
      /at most 2048/,
    ],
    ['no events', { url }, '/events', /is required/],
    ['an empty list of events', { url, events: [] }, '/events', /at least 1 entry/],
    [
      'an unknown event',
      { url, events: ['form.deleted'] },
      '/events/0',
      /^must be one of: form\.submission\.new, /,
    ],
    ['something else than an event', { url, events: [1] }, '/events/0', /^must be one of/],
    ['a short secret', { ...valid, secret: 'a'.repeat(15) }, '/secret', /at least 16/],
    ['a long secret', { ...valid, secret: 'a'.repeat(257) }, '/secret', /at most 256/],
    ['an unknown key', { ...valid, enabled: true }, '/enabled', /not known here/],
  ])('is refused with %s', (_, webhook, pointer, message) => {
    expect(readInput(WebhookIn, webhook)).toEqual({
      ok: false,
      issues: [{ pointer, message: expect.stringMatching(message) as string }],
    });
  });

  it.each(['', null])('leaves the secret to be generated where it is %j', (secret) => {
    expect(WebhookIn.parse({ ...valid, secret }).secret).toBe(secret);
  });

  it('is refused with a secret that is no text', () => {
    expect(readInput(WebhookIn, { ...valid, secret: 7 })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/secret' }],
    });
  });

  it.each([16, 256])('takes a secret of %d characters', (length) => {
    expect(WebhookIn.parse({ ...valid, secret: 'a'.repeat(length) }).secret).toHaveLength(length);
  });
});

describe('a change of a webhook', () => {
  it('holds only what it changes', () => {
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
  ])('is refused as %j', (patch, pointer) => {
    expect(readInput(WebhookPatch, patch)).toMatchObject({ ok: false, issues: [{ pointer }] });
  });
});
