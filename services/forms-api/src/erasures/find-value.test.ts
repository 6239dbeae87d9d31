import { findValue } from './find-value.ts';

const DATA = JSON.stringify({
  email: 'ada@example.com',
  tags: ['a "b"', 'ünï'],
  order: { number: 4711 },
  agreed: true,
});

describe('a value in JSON text', () => {
  it.each(['ada@example.com', 'a "b"', 'ünï', '4711', 'true'])('is found as a whole: %s', (value) => {
    expect(findValue(value)(DATA)).toBe(true);
  });

  it.each(['ada@example', 'Ada@example.com', 'email', '471', 'a'])('is not found otherwise: %s', (value) => {
    expect(findValue(value)(DATA)).toBe(false);
  });
});
