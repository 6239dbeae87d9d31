import { relativeTime, timeUntil } from './time-format.ts';

const NOW = Date.parse('2026-03-14T12:00:00.000Z');

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [-9, 'just now'],
    [-30, '30 seconds ago'],
    [-59, '59 seconds ago'],
    [-60, '1 minute ago'],
    [-3599, '59 minutes ago'],
    [-7200, '2 hours ago'],
    [-86_400, '1 day ago'],
    [-20 * 86_400, '20 days ago'],
    [-400 * 86_400, '1 year ago'],
    [90, 'in 1 minute'],
    [47 * 3600, 'in 1 day'],
    [3 * 86_400, 'in 3 days'],
  ])('formats %d s from now as: %s', (seconds, expected) => {
    expect(relativeTime(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(expected);
  });
});

describe('timeUntil', () => {
  it.each([
    [-7200, 'now'],
    [0, 'now'],
    [9, 'now'],
    [10, 'in 10 seconds'],
    [90, 'in 1 minute'],
  ])('formats %d s from now as: %s', (seconds, expected) => {
    expect(timeUntil(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(expected);
  });
});
