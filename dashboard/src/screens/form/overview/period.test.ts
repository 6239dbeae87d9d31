import { readOverviewSearch } from './overview-search.ts';
import { daysIn, periodBefore, periodOf, periodProblem } from './period.ts';

const TODAY = '2026-03-14';

describe('the period of the overview', () => {
  it.each([
    [{}, { from: '2026-02-13', to: '2026-03-14' }, { from: '2026-01-14', to: '2026-02-12' }],
    [{ range: '7d' }, { from: '2026-03-08', to: '2026-03-14' }, { from: '2026-03-01', to: '2026-03-07' }],
    [{ range: '90d' }, { from: '2025-12-15', to: '2026-03-14' }, { from: '2025-09-16', to: '2025-12-14' }],
    [
      { range: 'custom', from: '2024-02-28', to: '2024-03-01' },
      { from: '2024-02-28', to: '2024-03-01' },
      { from: '2024-02-25', to: '2024-02-27' },
    ],
    [
      { range: 'custom', from: '2026-13-01', to: 'x' },
      { from: '2026-02-13', to: '2026-03-14' },
      { from: '2026-01-14', to: '2026-02-12' },
    ],
    [{ range: 'year' }, { from: '2026-02-13', to: '2026-03-14' }, { from: '2026-01-14', to: '2026-02-12' }],
  ])('is for %j the days %j, compared with %j', (search, period, before) => {
    expect(periodOf(readOverviewSearch(search), TODAY)).toEqual(period);
    expect(periodBefore(period)).toEqual(before);
    expect(daysIn(before)).toBe(daysIn(period));
  });

  it.each([
    [{ from: '2026-03-14', to: '2026-03-14' }, null],
    [{ from: '2026-03-14', to: '2026-03-13' }, 'order'],
    [{ from: '2025-03-14', to: '2026-03-14' }, null],
    [{ from: '2025-03-13', to: '2026-03-14' }, 'length'],
    [{ from: '2026-03-14', to: '2026-03-15' }, 'future'],
  ])('%j has the problem %j', (period, problem) => {
    expect(periodProblem(period, TODAY)).toBe(problem);
  });
});
