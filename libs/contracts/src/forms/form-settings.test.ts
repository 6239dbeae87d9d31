import { FormSettingsIn } from './form-settings.ts';
import { readInput } from '../api/read-input.ts';

const issuesWith = (settings: unknown) => {
  const reading = readInput(FormSettingsIn, settings);
  return reading.ok ? [] : reading.issues;
};

describe('form settings', () => {
  it('are stored as they were sent, without defaults', () => {
    const settings = {
      popup: { enabled: false },
      theme: { accent: '#1A73E8', background: '#fff', text: 'rgb(1 2 3 / 50%)', radius: 12.5, font: 'Inter' },
      submitLabel: 'Send',
      thankYou: { title: 'Thanks', message: 'Soon.', redirectUrl: 'https://example.com/a?b' },
      notifications: { emails: ['a@example.com'] },
      metadata: { includeIp: true, includeUserAgent: false },
      allowedOrigins: ['https://example.com', 'http://localhost:3000'],
      tasks: { emitSubmissionEvents: true },
    };
    expect(FormSettingsIn.parse(settings)).toEqual(settings);
    expect(FormSettingsIn.parse({})).toEqual({});
    expect(FormSettingsIn.parse({ theme: {}, thankYou: {}, metadata: {}, tasks: {} })).toEqual({
      theme: {},
      thankYou: {},
      metadata: {},
      tasks: {},
    });
  });

  it.each([
    ['/colour', { colour: 'red' }],
    ['/theme/colour', { theme: { colour: '#fff' } }],
    ['/thankYou/url', { thankYou: { url: '' } }],
    ['/notifications/to', { notifications: { to: [] } }],
    ['/metadata/ip', { metadata: { ip: true } }],
    ['/tasks/emit', { tasks: { emit: true } }],
  ])('refuse the unknown key %s', (pointer, settings) => {
    expect(issuesWith(settings)).toEqual([
      { pointer, message: expect.stringContaining('is an unknown key') as string },
    ]);
  });
});

describe('settings.theme', () => {
  it.each([
    '#abc',
    '#abcd',
    '#AABBCC',
    '#aabbccdd',
    'rgb(26, 115, 232)',
    'rgb(26,115,232)',
    'rgba(26, 115, 232, .5)',
    'rgb(26 115 232 / 50%)',
    'hsl(210deg, 50%, 40%)',
    'HSLA(210 50% 40% / 0.5)',
  ])('accepts the color %s', (accent) => {
    expect(issuesWith({ theme: { accent } })).toEqual([]);
  });

  it.each([
    '',
    '#ab',
    '#abcde',
    '#ggg',
    'red;',
    'rgb(1, 2)',
    'rgb(1, 2, 3, 4, 5)',
    'rgb(var(--x), 2, 3)',
    'url(https://example.com)',
    '#fff; background: url(x)',
    '#fff}',
    'rgb(1, 2, 3)\n',
    'expression(alert(1))',
  ])('refuses the color %j', (background) => {
    expect(issuesWith({ theme: { background } })).toEqual([
      { pointer: '/theme/background', message: 'must be a color such as #1a73e8 or rgb(26, 115, 232)' },
    ]);
  });

  it.each([
    'Inter',
    'Inter, sans-serif',
    '"Open Sans", \'Noto Sans\', serif',
    'Noto Sans 日本',
    'a'.repeat(100),
  ])('accepts the font %j', (font) => {
    expect(issuesWith({ theme: { font } })).toEqual([]);
  });

  it.each([
    '',
    'Inter,',
    'a;b',
    'a{b',
    'a}b',
    '<b>',
    '"Inter',
    'In"ter',
    'a\\b',
    'url(x)',
    'a\nb',
    'a/*',
    '@x',
  ])('refuses the font %j', (font) => {
    expect(issuesWith({ theme: { font } })).toMatchObject([{ pointer: '/theme/font' }]);
  });

  it.each(['https://example.com/a.svg', 'HTTPS://example.com/a b.png'])('accepts the picture %s', (url) => {
    expect(issuesWith({ theme: { logo: url, cover: url } })).toEqual([]);
  });

  it.each([
    ['logo', 'http://example.com/a.svg'],
    ['cover', 'data:image/png;base64,AAAA'],
    ['cover', 'https:/'],
    ['logo', `https://example.com/${'a'.repeat(2048)}`],
    ['colorScheme', 'auto'],
    ['density', 'dense'],
    ['width', 239],
    ['width', 1201],
    ['width', 300.5],
  ])('refuses the %s %s', (name, value) => {
    expect(issuesWith({ theme: { [name]: value } })).toMatchObject([{ pointer: `/theme/${name}` }]);
  });

  it('accepts a font of at most 100 characters and a radius of 0 to 48 pixels', () => {
    expect(issuesWith({ theme: { font: 'a'.repeat(101) } })).toMatchObject([{ pointer: '/theme/font' }]);
    expect(issuesWith({ theme: { radius: 0 } })).toEqual([]);
    expect(issuesWith({ theme: { radius: 48 } })).toEqual([]);
    expect(issuesWith({ theme: { radius: -1 } })).toMatchObject([{ pointer: '/theme/radius' }]);
    expect(issuesWith({ theme: { radius: 48.5 } })).toMatchObject([{ pointer: '/theme/radius' }]);
  });
});

describe('settings.thankYou.redirectUrl', () => {
  it.each(['javascript:alert(1)', '/thanks', 'data:text/html,x', 'example.com', ''])(
    'refuses %j',
    (redirectUrl) => {
      expect(issuesWith({ thankYou: { redirectUrl } })).toEqual([
        {
          pointer: '/thankYou/redirectUrl',
          message: 'must be a URL that starts with https:// or http://',
        },
      ]);
    },
  );
});

describe('settings.notifications.emails', () => {
  it('accepts at most ten addresses', () => {
    const emails = Array.from({ length: 11 }, (_, index) => `a${index}@example.com`);
    expect(issuesWith({ notifications: { emails: emails.slice(1) } })).toEqual([]);
    expect(issuesWith({ notifications: { emails } })).toEqual([
      { pointer: '/notifications/emails', message: 'must have at most 10 entries' },
    ]);
  });

  it('points at an invalid address', () => {
    expect(issuesWith({ notifications: { emails: ['a@example.com', 'a'] } })).toEqual([
      { pointer: '/notifications/emails/1', message: 'must be an email address' },
    ]);
  });
});

describe('settings.allowedOrigins', () => {
  it.each([
    ['https://example.com', 'https://example.com'],
    ['https://Example.com/', 'https://example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://exämple.de', 'https://xn--exmple-cua.de'],
  ])('stores %s as browsers write it: %s', (origin, stored) => {
    expect(FormSettingsIn.parse({ allowedOrigins: [origin] }).allowedOrigins).toEqual([stored]);
  });

  it.each([
    '*',
    'null',
    '',
    'example.com',
    'https://*.example.com',
    'https://example.com/form',
    'https://example.com?x',
    'https://a:b@example.com',
    'file:///x',
  ])('refuses %j with a hint', (origin) => {
    expect(issuesWith({ allowedOrigins: [origin] })).toEqual([
      {
        pointer: '/allowedOrigins/0',
        message: expect.stringContaining('must be an origin such as https://www.example.com') as string,
      },
    ]);
  });
});
