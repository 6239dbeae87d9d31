import { ApiError, formErrors } from './api-error.ts';
import { withQuery } from './client.ts';

describe('ApiError', () => {
  it('shows the request id', () => {
    const error = new ApiError({
      status: 409,
      code: 'CONFLICT',
      message: 'It was changed.',
      requestId: 'req-1',
    });
    expect([error.code, error.status, error.fullMessage()]).toEqual([
      'CONFLICT',
      409,
      'It was changed. (Request id: req-1)',
    ]);
  });

  it('is a network error without a response', () => {
    const error = new ApiError({});
    expect([error.code, error.status, error.issues]).toEqual(['NETWORK', 0, []]);
    expect(error.fullMessage()).toMatch(/can not be reached/);
  });

  it('maps issues to input paths', () => {
    const errors = [
      { pointer: '/settings/popup/trigger', message: 'is required' },
      { pointer: '/fields/0/a~1b~0', message: 'is no name' },
    ];
    expect(formErrors(new ApiError({ code: 'VALIDATION_FAILED', errors }))).toEqual({
      'settings.popup.trigger': 'is required',
      'fields.0.a/b~': 'is no name',
    });
    expect(formErrors(new Error('other'))).toEqual({});
  });
});

describe('withQuery', () => {
  it.each([
    [{}, '/api/forms'],
    [{ q: '', cursor: undefined }, '/api/forms'],
    [{ q: 'a&b', limit: 25 }, '/api/forms?q=a%26b&limit=25'],
  ])('turns %j into %s', (query, expected) => {
    expect(withQuery('/api/forms', query)).toBe(expected);
  });
});
