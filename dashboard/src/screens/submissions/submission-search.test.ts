import { filtersOf, readSubmissionSearch } from './submission-search.ts';

describe('the search parameters of the submissions', () => {
  it.each([
    [{}, {}],
    [
      { q: 'ada', via: 'web', columns: 'email,message' },
      { q: 'ada', via: 'web', columns: 'email,message' },
    ],
    // The router parses `?q=5`.
    [{ q: 5 }, { q: '5' }],
    [{ q: true }, { q: 'true' }],
    [{ q: '', via: 'toString', from: 'yesterday', to: '2026-13-01' }, {}],
    [{ q: { a: 1 }, columns: ['a'] }, {}],
    [
      { where: ['a:1', 'a:2', 'no condition', 'a:3', 'a:4', 'a:5', 'a:6'] },
      { where: ['a:1', 'a:2', 'a:3', 'a:4', 'a:5'] },
    ],
    [
      { from: '2026-03-01', to: '2026-03-31' },
      { from: '2026-03-01', to: '2026-03-31' },
    ],
  ])('reads %j as %j', (search, expected) => {
    expect(readSubmissionSearch(search)).toEqual(expected);
  });

  it('has the beginning of a search that is too long for the API', () => {
    expect(readSubmissionSearch({ q: `${'x'.repeat(200)}y` })).toEqual({ q: 'x'.repeat(200) });
  });

  it("filters whole days in the reader's time zone", () => {
    const {
      since = '',
      until = '',
      ...rest
    } = filtersOf({
      q: 'ada',
      from: '2026-03-28',
      to: '2026-03-28',
      columns: 'email',
    });
    expect(rest).toEqual({ q: 'ada' });
    const [start, end] = [new Date(since), new Date(until)];
    expect([start.getDate(), start.getHours(), end.getDate(), end.getHours()]).toEqual([28, 0, 29, 0]);
  });
});
