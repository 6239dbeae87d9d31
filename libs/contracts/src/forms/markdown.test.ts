import { timersTurn } from '@svcforms/test-kit';
import { markdownText, parseLinks, parseMarkdown, unsafeLink } from './markdown.ts';

describe('parseMarkdown', () => {
  it('reads paragraphs, line breaks, lists, bold, italic and links', () => {
    const text =
      'Hello **you**,\nread *this*.\n\n- one\n- two [docs](https://example.com/a?b=c#d)\n\n**See [us](mailto:a@example.com)**';
    expect(parseMarkdown(text)).toEqual([
      {
        lines: [
          ['Hello ', { strong: ['you'] }, ','],
          ['read ', { em: ['this'] }, '.'],
        ],
      },
      { items: [['one'], ['two ', { href: 'https://example.com/a?b=c#d', text: 'docs' }]] },
      { lines: [[{ strong: ['See ', { href: 'mailto:a@example.com', text: 'us' }] }]] },
    ]);
  });

  it.each([
    '<b onclick="x()">bold</b> <script>x()</script>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,x)',
    '[x](/relative)',
    '![x](x.png)',
    '2 * 3 * 4 = 24',
    '# not a heading',
    '** not bold **',
    '[unfinished](https://example.com',
    '[unpaired](https://example.com/(a)',
    '[nested](https://example.com/((a)))',
  ])('leaves everything else as text: %s', (text) => {
    expect(parseMarkdown(text)).toEqual([{ lines: [[text]] }]);
  });

  it('keeps an asterisk in a link', () => {
    expect(parseMarkdown('[x](https://example.com/*a*)')).toEqual([
      { lines: [[{ href: 'https://example.com/*a*', text: 'x' }]] },
    ]);
  });

  it('keeps pairs of parentheses in a link', () => {
    expect(
      parseMarkdown('See [a](https://example.com/Law_(principle)), (or [b](mailto:b@example.com)).'),
    ).toEqual([
      {
        lines: [
          [
            'See ',
            { href: 'https://example.com/Law_(principle)', text: 'a' },
            ', (or ',
            { href: 'mailto:b@example.com', text: 'b' },
            ').',
          ],
        ],
      },
    ]);
  });

  it("doesn't take long for a long hostile text", async () => {
    for (const piece of ['[', '](', '*', '**a', '[x](https://', '[x](https://(', '- *', '*a ']) {
      const text = piece.repeat(5000 / piece.length);
      parseMarkdown(text);
      unsafeLink(text);
    }
    await timersTurn();
  }, 20_000);
});

describe('parseLinks', () => {
  it('reads nothing but links', () => {
    expect(parseLinks('I *accept* the [terms](https://example.com/terms)')).toEqual([
      'I *accept* the ',
      { href: 'https://example.com/terms', text: 'terms' },
    ]);
  });
});

describe('unsafeLink', () => {
  it.each([
    ['[a](https://example.com) and [b](mailto:b@example.com)', undefined],
    ['no link', undefined],
    ['[a](https://example.com) and [b](javascript:x)', 'javascript:x'],
    ['[a](/path)', '/path'],
    ['[a]()', ''],
    ['[a](https://example.com/Law_(principle)?q=(b)) and (more)', undefined],
    ['[a](https://example.com/((b)))', 'https://example.com/((b)'],
    ['[a](https://example.com/(b', 'https://example.com/(b'],
    ['[a](javascript:alert(1)), (b)', 'javascript:alert(1)'],
  ])('of %j is %j', (text, href) => {
    expect(unsafeLink(text)).toBe(href);
  });
});

describe('markdownText', () => {
  it.each([
    [
      'Read our **rules** and [terms](https://example.com):\n\n- be *kind*\n- be brief',
      'Read our rules and terms: be kind be brief',
    ],
    ['**See [us](https://example.com)**', 'See us'],
    ['2 * 3 * 4\n- not a list', '2 * 3 * 4 - not a list'],
    ['  ', ''],
  ])('returns the text of %j without its formatting', (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });
});
