import { ApiError, formErrors, otherErrors } from './api-error.ts';
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
      'It was changed. (Request ID: req-1)',
    ]);
  });

  it('is a network error without a response', () => {
    const error = new ApiError({});
    expect([error.code, error.status, error.issues]).toEqual(['NETWORK', 0, []]);
    expect(error.fullMessage()).toMatch(/can’t reach the server/);
  });

  it('maps issues to input paths', () => {
    const errors = [
      { pointer: '/settings/popup/trigger', message: 'is required' },
      { pointer: '/fields/0/a~1b~0', message: 'is no name' },
    ];
    expect(formErrors(new ApiError({ code: 'VALIDATION_FAILED', errors }))).toEqual({
      'settings.popup.trigger': 'Is required',
      'fields.0.a/b~': 'Is no name',
    });
    expect(formErrors(new Error('other'))).toEqual({});
  });

  it('lists the errors of values without an input, and never a JSON pointer', () => {
    const error = new ApiError({
      code: 'VALIDATION_FAILED',
      message: '/url: must be an HTTPS URL (and 3 more)',
      errors: [
        { pointer: '/url', message: 'must be an HTTPS URL' },
        { pointer: '/events/1', message: 'is unknown' },
        { pointer: '/fields/0/name', message: 'is required' },
        { pointer: '', message: 'must not be empty' },
      ],
    });
    expect(error.message).toBe('Some values are invalid. Check the errors shown.');
    expect(otherErrors(error, ['url', 'events', 'field'])).toEqual([
      'fields 1 › name is required',
      'Must not be empty',
    ]);
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
