import type { StatsOut } from '@svcforms/contracts';
import { conversionRate, countChange, countsOf, rateChange, rateText, totalsOf } from './totals.ts';

describe('the totals of the overview', () => {
  it.each([
    [120, 100, 'Up 20% from 100'],
    [1, 3, 'Down 67% from 3'],
    [96, 2, 'Up 4,700% from 2'],
    [2500, 1240, 'Up 102% from 1,240'],
    [0, 5, 'Down 100% from 5'],
    [5, 0, 'None in the period before'],
    [0, 0, 'Same as in the period before'],
  ])('%d after %d reads “%s”', (count, before, text) => {
    expect(countChange(count, before)).toBe(text);
  });

  it.each([
    [0.105, 0.084, ['shown'], 'Up 2.1 points from 8.4%'],
    [0.05, 0.1, ['shown'], 'Down 5.0 points from 10.0%'],
    [0.1, 0.1, ['shown'], 'Same as in the period before'],
    [0.1, null, ['shown'], 'No impressions in the period before'],
    [null, 0.1, ['shown'], 'No impressions in this period'],
    [null, 0.1, ['viewed'], 'No views in this period'],
    [0.1, null, ['viewed'], 'No views in the period before'],
    [null, null, ['viewed', 'shown'], 'No impressions or views in either period'],
  ] as const)('the rate %p after %p with the counts %j reads “%s”', (rate, before, counts, text) => {
    expect(rateChange(rate, before, counts)).toBe(text);
  });

  it.each([
    ['a popup without views', true, { shown: 3 }, ['shown', 'converted', 'declined', 'submissions']],
    ['a form in a page', false, { viewed: 3 }, ['viewed', 'submissions']],
    ['a form that was a popup', false, { shown: 1 }, ['viewed', 'shown', 'submissions']],
    ['a new form', false, {}, ['viewed', 'shown', 'converted', 'declined', 'submissions']],
  ])('shows the counts of %s', (_, isPopup, counted, counts) => {
    const day = { date: '2026-11-25', viewed: 0, shown: 0, converted: 0, declined: 0, submissions: 0 };
    expect(countsOf(isPopup, [{ ...day, ...counted }])).toEqual(counts);
  });

  it('has a conversion rate only with impressions', () => {
    const counts = { viewed: 0, shown: 8, converted: 1, submitted: 3 };
    expect(rateText(conversionRate(counts))).toBe('12.5%');
    expect(rateText(conversionRate({ ...counts, shown: 0 }))).toBe('–');
    // Browsers may count a conversion and not the impression before it, such as across midnight.
    expect(rateText(conversionRate({ ...counts, converted: 9 }))).toBe('100.0%');
    expect(rateText(conversionRate({ ...counts, shown: 0, viewed: 4 }))).toBe('75.0%');
  });

  it('counts only submissions after views, and stored ones where only views were counted', () => {
    const day = { date: '2026-11-25', shown: 0, converted: 0, declined: 0 };
    const rateOf = (...days: StatsOut) => rateText(conversionRate(totalsOf(days)));
    expect(rateOf({ ...day, viewed: 20, submitted: 4, submissions: 34 })).toBe('20.0%');
    expect(rateOf({ ...day, viewed: 20, submitted: 4, submissions: 0 })).toBe('20.0%');
    const older = { ...day, viewed: 20, submissions: 4 };
    expect(rateOf(older, { ...day, viewed: 20, submitted: 0, submissions: 9 })).toBe('10.0%');
  });
});
