import { build } from 'esbuild';

/** Pages with a form import this package, and zod is too large for them. */
describe('a browser bundle of this package', () => {
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

  it('does not contain zod if it only validates values', async () => {
    const text = await bundle(`
      import { checkValues, savedTriggers, TRIGGERS } from './index.ts';
      console.log(savedTriggers({}), checkValues([], {}), TRIGGERS);
    `);
    expect(text).toContain('is required');
    expect(text).not.toContain('zod');
    expect(text.length).toBeLessThan(8_200);
  });

  it('contains zod if it imports a schema', async () => {
    expect(await bundle(`import { FormIn } from './index.ts'; console.log(FormIn);`)).toContain('zod');
  });
});
