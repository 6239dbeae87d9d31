import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, ERRORS, isAppError, validationFailed } from './errors.ts';
import { Problem, problemOf } from './problem.ts';

const request = { id: 'req-1', baseUrl: 'https://forms.example' };

describe('a failure', () => {
  it('is known by its code, also where it came through another copy of this module', () => {
    const foreign = Object.assign(new Error('x'), { name: 'AppError', code: 'NOT_FOUND' });
    expect(isAppError(new AppError('NOT_FOUND', 'x'))).toBe(true);
    expect(isAppError(foreign)).toBe(true);
  });

  it.each([
    ['an error of the system', Object.assign(new Error('x'), { code: 'ENOENT' })],
    ['an error of the store', Object.assign(new Error('x'), { name: 'StoreError', code: 'UNAVAILABLE' })],
    [
      'a code that is not in the table',
      Object.assign(new Error('x'), { name: 'AppError', code: 'toString' }),
    ],
    ['an object that looks like one', { name: 'AppError', code: 'NOT_FOUND', status: 404 }],
    ['undefined', undefined],
  ])('is not %s', (_, error) => {
    expect(isAppError(error)).toBe(false);
  });

  it.each(Object.entries(ERRORS))(
    '%s becomes a problem with its status and title.',
    (code, { status, title }) => {
      const problem = problemOf(new AppError(code as keyof typeof ERRORS, 'What was wrong'), request);
      expect(problem).toEqual({
        type: `https://forms.example/docs/errors#${code}`,
        title,
        status,
        code,
        success: false,
        message: 'What was wrong',
        requestId: 'req-1',
      });
      expect(Problem.parse(problem)).toEqual(problem);
    },
  );

  it('carries further members, but keeps its cause to itself', () => {
    const error = new AppError('INSUFFICIENT_SCOPE', 'x', {
      members: { requiredScope: 'forms:read' },
      cause: new Error('secret'),
    });
    expect(problemOf(error, request)).toMatchObject({ requiredScope: 'forms:read' });
    expect(JSON.stringify(problemOf(error, request))).not.toContain('secret');
  });
});

describe('values that were refused', () => {
  it('are counted all, and named as far as an answer may be long', () => {
    const issues = Array.from({ length: 10_000 }, (_, n) => ({
      pointer: `/${n}${'x'.repeat(9_000)}`,
      message: 'no',
    }));
    const problem = problemOf(validationFailed(issues), request);
    expect(problem.message).toMatch(/ \(and 9999 more\)$/);
    expect(problem.errors).toHaveLength(200);
    expect(JSON.stringify(problem).length).toBeLessThan(150_000);
  });

  it.each([
    [[{ pointer: '/name', message: 'is required' }], '/name: is required'],
    [[{ pointer: '', message: 'must be an object' }], '/: must be an object'],
    [
      [
        { pointer: '/a', message: 'is required' },
        { pointer: '/b', message: 'is required' },
        { pointer: '/c', message: 'is required' },
      ],
      '/a: is required (and 2 more)',
    ],
    [[], 'Some values are not valid'],
  ])('are all in the problem, and the first in its message: %j', (issues, message) => {
    const problem = problemOf(validationFailed(issues), request);
    expect(problem).toMatchObject({ status: 422, message, errors: issues });
  });
});

describe('docs/errors.md', () => {
  it('has a section for each code, with its status, and for nothing else', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8');
    const headings = [...page.matchAll(/^## .+$/gm)].map(([heading]) => heading);
    const statuses = [...page.matchAll(/^## (\S+)\n\n(\d{3})\b/gm)].map(
      ([, code, status]) => `${code} ${status}`,
    );
    const rows = Object.entries(ERRORS).map(([code, { status }]) => `${code} ${status}`);
    expect(new Set(statuses)).toEqual(new Set(rows));
    expect(headings).toHaveLength(rows.length);
  });
});
