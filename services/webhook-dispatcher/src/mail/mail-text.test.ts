import { cut, mailText } from './mail-text.ts';

const content = { subject: 'New submission', paragraphs: [], rows: [], closing: 'Sent by SvcForms.' };

describe('an email', () => {
  it('has labels of one line, so that none can look like another row', () => {
    const { text } = mailText({ ...content, rows: [['a\nReceived: Jan 1, 2026, 00:00 UTC\nb', 'x']] });
    expect(text.split('\n').filter((line) => line.startsWith('Received:'))).toEqual([]);
    expect(text).toContain('a Received: Jan 1, 2026, 00:00 UTC b: x');
  });

  it('ends with a link to unsubscribe', () => {
    const unsubscribeUrl = 'https://forms.example/unsubscribe#token';
    const { html } = mailText({ ...content, closing: `Unsubscribe: ${unsubscribeUrl}`, unsubscribeUrl });
    expect(html).toContain(`<a href="${unsubscribeUrl}">`);
  });

  it('shows each value in the direction of its own text', () => {
    const { html } = mailText({ ...content, rows: [['الاسم', 'ليلى!']] });
    expect(html).toMatch(/<th [^>]*dir="auto">الاسم<\/th><td dir="auto">ليلى!<\/td>/);
  });
});

describe('a text that is cut', () => {
  it.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['abc😀d', 5, 'abc…'],
  ])('%j to %d characters is %j', (text, length, expected) => {
    expect(cut(text, length)).toBe(expected);
  });
});
