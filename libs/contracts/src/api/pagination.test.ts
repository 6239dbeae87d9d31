import { DeliveryQuery } from '../webhooks/delivery.ts';
import { PageQuery } from './pagination.ts';
import { readInput } from './read-input.ts';

describe('the query of a list', () => {
  it('defaults to the first page of 25 entries', () => {
    expect(PageQuery.parse({})).toEqual({ limit: 25 });
  });

  it.each([
    ['1', 1],
    ['100', 100],
  ])('accepts the limit %s', (limit, expected) => {
    expect(PageQuery.parse({ limit, cursor: 'x' })).toEqual({ limit: expected, cursor: 'x' });
  });

  it.each(['0', '101', '-1', '1.5', 'ten', '', '0x10', '1e2', '+5', ' 5 ', '5\n', '٥'])(
    'refuses the limit %j',
    (limit) => {
      expect(readInput(PageQuery, { limit })).toEqual({
        ok: false,
        issues: [
          {
            pointer: '/limit',
            message: 'must be a whole number from 1 to 100',
          },
        ],
      });
    },
  );

  it('refuses unknown and repeated parameters', () => {
    expect(readInput(PageQuery, { limt: '5' })).toMatchObject({ ok: false, issues: [{ pointer: '/limt' }] });
    expect(readInput(PageQuery, { cursor: ['a', 'b'] })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/cursor' }],
    });
  });

  it('accepts filters for deliveries', () => {
    const filters = { status: 'held', eventType: 'submission.created' };
    expect(DeliveryQuery.parse(filters)).toEqual({ ...filters, tests: 'exclude', limit: 25 });
    expect(readInput(DeliveryQuery, { status: 'lost' })).toMatchObject({
      ok: false,
      issues: [{ pointer: '/status' }],
    });
  });
});
