import { readInput } from '../api/read-input.ts';
import { SubmissionIn } from './submission.ts';

describe('SubmissionIn', () => {
  it('does not change values', () => {
    const submission = {
      data: { a: 1, b: ['x'], c: { d: null } },
      page: 'https://example.com/',
      elapsedMs: 12.5,
      hp: '',
    };
    expect(SubmissionIn.parse(submission)).toEqual(submission);
  });

  it('drops the unknown keys of other embed versions', () => {
    expect(SubmissionIn.parse({ data: { a: 1 }, consent: 'yes' })).toEqual({ data: { a: 1 } });
  });

  it('keeps the beginning of a long URL', () => {
    const page = `https://example.com/?${'a'.repeat(5000)}`;
    expect(SubmissionIn.parse({ data: {}, page }).page).toBe(page.slice(0, 2048));
  });

  it.each([
    [{}, '/data', 'is required'],
    [{ data: [] }, '/data', 'must be an object'],
    [{ data: 'a=1' }, '/data', 'must be an object'],
    [{ data: {}, elapsedMs: '5' }, '/elapsedMs', 'must be a number'],
  ])('refuses %j', (submission, pointer, message) => {
    expect(readInput(SubmissionIn, submission)).toEqual({ ok: false, issues: [{ pointer, message }] });
  });
});
