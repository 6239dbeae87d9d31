import { isBackwards, isDay, startOfDay } from './days.ts';

describe('days in URLs', () => {
  it.each(['1970-01-01', '2026-02-28', '2028-02-29', '2999-12-31'])('accepts %s', (text) => {
    expect(isDay(text)).toBe(true);
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2026-13-45',
    '2026-12-99',
    '2026-00-10',
    '0001-01-01',
    '9999-12-31',
    '99999-01-01',
    '2026-1-1',
    'zzz',
    '',
    20260101,
    undefined,
  ])('rejects %p', (text) => {
    expect(isDay(text)).toBe(false);
  });

  it('starts the day after a day on the next date', () => {
    const next = new Date(startOfDay('2026-12-31', 1));
    expect([next.getFullYear(), next.getMonth(), next.getDate(), next.getHours()]).toEqual([2027, 0, 1, 0]);
    expect(Date.parse(startOfDay('2026-12-31'))).toBeLessThan(next.getTime());
  });

  it('knows periods that end before they start', () => {
    expect(isBackwards('2026-02-02', '2026-02-01')).toBe(true);
    expect(isBackwards('2026-02-02', '2026-02-02')).toBe(false);
    expect(isBackwards('2026-02-02', undefined)).toBe(false);
    expect(isBackwards('', '2026-02-02')).toBe(false);
  });
});
