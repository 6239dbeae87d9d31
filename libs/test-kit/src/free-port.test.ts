import { freePort } from './free-port.ts';

describe('freePort', () => {
  it('returns each port once', async () => {
    // If they were only random, two of so many would be the same in 199 of 200 runs.
    const ports = new Set<number>();
    for (let n = 0; n < 400; n++) ports.add(await freePort());
    expect(ports.size).toBe(400);
  });
});
