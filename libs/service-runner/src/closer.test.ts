import { createCloser } from './closer.ts';

describe('a closer', () => {
  it('closes the last resource first, and waits for each', async () => {
    const closed: string[] = [];
    const resource = (name: string) => ({
      close: () => new Promise<void>((resolve) => setImmediate(() => (closed.push(name), resolve()))),
    });
    const closer = createCloser();
    closer.add(resource('store'));
    closer.add(resource('bus'));
    await closer.close();
    expect(closed).toEqual(['bus', 'store']);
  });

  it('returns the resource that it adds', () => {
    const resource = { close: () => {} };
    expect(createCloser().add(resource)).toBe(resource);
  });
});
