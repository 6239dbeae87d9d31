import fc from 'fast-check';
import { isDate, isEmail, isTime, isWebUrl, numberIn, withSeconds } from './text-formats.ts';

describe('isEmail', () => {
  it.each([
    'ada@example.com',
    'ada.lovelace+news@mail.example.co.uk',
    "o'hara@example.com",
    'jörg@exämple.de',
    'अ@डाटामेल.भारत',
    '1@2.de',
  ])('accepts %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@example',
    'ada@example.',
    'ada@.com',
    'ada@ex ample.com',
    'ada lovelace@example.com',
    'ada@-example.com',
    'ada@example-.com',
    'a@b@example.com',
    'Ada <ada@example.com>',
    'ada@example.com, bob@example.com',
    'ada@example.com\r\nBcc: x@example.com',
    `${'a'.repeat(250)}@b.de`,
  ])('refuses %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});

describe('isWebUrl', () => {
  it.each(['https://example.com', 'HTTP://example.com:8080/a?b#c', 'https://exämple.de/ü', 'http://[::1]/'])(
    'accepts %s',
    (text) => {
      expect(isWebUrl(text)).toBe(true);
    },
  );

  it.each([
    '',
    'example.com',
    '/thanks',
    '//example.com',
    'https://',
    'https:example.com',
    'javascript:alert(1)',
    ' https://example.com',
    'java\nscript:alert(1)',
    'https://exam\nple.com',
    'ftp://example.com',
    'https://a b.com',
  ])('refuses %j', (text) => {
    expect(isWebUrl(text)).toBe(false);
  });

  it.each(['https://', 'http:////', 'https://a@'])(
    'refuses %s and a megabyte of accents without parsing them, and accepts them in a path',
    (start) => {
      const accents = '\u0327\u0301'.repeat(250_000);
      expect(isWebUrl(`${start}a${accents}.example`)).toBe(false);
      expect(isWebUrl(`${start}a.example/${accents}`)).toBe(true);
    },
  );
});

describe('isDate', () => {
  it.each(['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])('accepts %s', (text) => {
    expect(isDate(text)).toBe(true);
  });

  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '2026-1-1',
    '26-01-01',
    '01/31/2026',
    '2026-01-31T00:00:00Z',
    ' 2026-01-31',
  ])('refuses %j', (text) => {
    expect(isDate(text)).toBe(false);
  });

  it('agrees with the calendar of JavaScript', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(32), (year, month, day) => {
        const text = [
          String(year).padStart(4, '0'),
          String(month).padStart(2, '0'),
          String(day).padStart(2, '0'),
        ].join('-');
        const calendar = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(calendar.getTime()) && calendar.toISOString().startsWith(text);
        expect(isDate(text)).toBe(exists);
      }),
    );
  });
});

describe('isTime', () => {
  it.each(['00:00', '09:30', '23:59', '23:59:59'])('accepts %s', (text) => {
    expect(isTime(text)).toBe(true);
  });

  it.each(['24:00', '9:30', '09:60', '09:30:60', '09:30:5', '09:30pm', '', '09'])('refuses %j', (text) => {
    expect(isTime(text)).toBe(false);
  });
});

describe('withSeconds', () => {
  it.each([
    ['09:00', '09:00:00'],
    ['09:00:30', '09:00:30'],
    ['2026-01-31', '2026-01-31'],
  ])('writes %s as %s', (text, comparable) => {
    expect(withSeconds(text)).toBe(comparable);
  });
});

describe('numberIn', () => {
  it.each([
    ['42', 42],
    ['-3.50', -3.5],
    ['+.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['007', 7],
  ])('reads %s as %d', (text, number) => {
    expect(numberIn(text)).toBe(number);
  });

  it.each(['', '.', 'x', '3,5', '1 000', '0x10', 'Infinity', 'NaN', '1e999', '1e', '--1', '12px'])(
    'finds no number in %j',
    (text) => {
      expect(numberIn(text)).toBeUndefined();
    },
  );
});

describe('the formats', () => {
  it.each([
    ['digits', '1'.repeat(200_000) + 'x'],
    ['dots', `a@${'.'.repeat(200_000)} `],
    ['labels', `a@${'a.'.repeat(100_000)}`],
    ['spaces', ' '.repeat(200_000) + 'x'],
  ])('take linear time for a long text of %s', (_, text) => {
    // With quadratic time, these inputs would take minutes and exceed the time limit of the test.
    for (let i = 0; i < 50; i += 1) {
      expect([isEmail(text), isWebUrl(text), isDate(text), isTime(text), numberIn(text)]).toEqual([
        false,
        false,
        false,
        false,
        undefined,
      ]);
    }
  });
});
