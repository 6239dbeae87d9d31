import { daysOf, PopupEventIn, StatsQuery } from './popup-counters.ts';

const TODAY = '2026-03-14';

describe('the days of a query', () => {
  it('are the last thirty, where it names none', () => {
    const days = daysOf({}, TODAY);
    expect(days).toHaveLength(30);
    expect(days).toEqual(expect.arrayContaining(['2026-02-13', '2026-03-01', TODAY]));
  });

  it.each([
    [{ from: '2026-03-14' }, ['2026-03-14']],
    [{ from: '2026-03-13' }, ['2026-03-13', '2026-03-14']],
    [{ from: '2024-02-28', to: '2024-03-01' }, ['2024-02-28', '2024-02-29', '2024-03-01']],
    [{ from: '2030-01-01', to: '2030-01-01' }, ['2030-01-01']],
  ])('%j are %j', (query, days) => {
    expect(daysOf(query, TODAY)).toEqual(days);
  });

  it('may be a leap year, and no more', () => {
    expect(daysOf({ from: '2024-01-01', to: '2024-12-31' }, TODAY)).toHaveLength(366);
    expect(daysOf({ from: '2023-12-31', to: '2024-12-31' }, TODAY)).toMatchObject({ pointer: '/from' });
  });

  it.each([
    [{ from: '2026-03-15' }, '/from'],
    [{ from: '2026-03-15', to: '2026-03-14' }, '/to'],
    [{ from: '0001-01-01' }, '/from'],
  ])('are refused as %j', (query, pointer) => {
    expect(daysOf(query, TODAY)).toMatchObject({ pointer });
  });

  it.each(['2026-02-29', '2026-3-1', '20260301', 'today', '2026-03-01T00:00:00Z', ''])(
    'take no %s.',
    (day) => {
      expect(StatsQuery.safeParse({ from: day }).success).toBe(false);
    },
  );
});

describe('what happened to a popup', () => {
  it('is one of three things; what else is said is dropped', () => {
    expect(PopupEventIn.parse({ type: 'shown', trigger: 'exit' })).toEqual({ type: 'shown' });
    expect(PopupEventIn.safeParse({ type: 'closed' }).success).toBe(false);
  });
});
