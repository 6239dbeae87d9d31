import { build } from 'esbuild';

/** Pages with forms must not load the server's validation library. */
describe('a browser bundle', () => {
  const bundle = async (source: string) => {
    const result = await build({
      stdin: { contents: source, resolveDir: __dirname, loader: 'ts' },
      bundle: true,
      minify: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      target: 'es2020',
    });
    return result.outputFiles[0]?.text ?? '';
  };

  it("of the functions for browsers doesn't include zod, although the index does", async () => {
    const text = await bundle(`
      import { checkValues, savedTriggers, TRIGGERS } from './index.ts';
      console.log(savedTriggers({}), checkValues([], {}), TRIGGERS);
    `);
    expect(text).toContain('is required');
    expect(text).not.toContain('zod');
    expect(text.length).toBeLessThan(8_000);
  });

  it('of a schema includes zod, so that the test before would notice it', async () => {
    expect(await bundle(`import { FormIn } from './index.ts'; console.log(FormIn);`)).toContain('zod');
  });
});
