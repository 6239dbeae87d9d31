import { root } from '@svcforms/test-kit';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { installBuiltPackage, type BuiltPackage } from './built-package.ts';

const MOST_BYTES = 1536;
const CONSUMER = `
import { createElement } from 'react';
import { closeForm, openForm, SvcForm, type SubmittedDetail, type SvcFormProps } from '@svcforms/react';
const onSubmitted = ({ submissionId, data }: SubmittedDetail): void => void [submissionId.trim(), data?.['x']];
const props: SvcFormProps = { formId: 'frm_x', src: 'https://forms.example.com/embed.js', className: 'x', onSubmitted };
createElement(SvcForm, props);
// @ts-expect-error a form needs an address
createElement(SvcForm, { formId: 'frm_x' });
// @ts-expect-error no such event
createElement(SvcForm, { ...props, onClose() {} });
openForm('frm_x', props.src).then((isOpen) => !isOpen && closeForm());
`;

let built: BuiltPackage;

beforeAll(() => {
  built = installBuiltPackage('@svcforms/react');
  // What an app that uses React has.
  for (const folder of ['react', 'react-dom', 'scheduler', 'loose-envify', 'js-tokens', '@types']) {
    const from = ['react', 'react-dom', 'scheduler'].includes(folder)
      ? 'sdks/react/node_modules'
      : 'node_modules';
    symlinkSync(join(root, from, folder), join(built.project, 'node_modules', folder));
  }
});

describe('the npm package of the React component', () => {
  it('imports only React, runs in browsers, and is small', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(built.folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: '@svcforms/react',
      sideEffects: false,
      peerDependencies: { react: '^18.0.0 || ^19.0.0' },
    });
    expect(
      Object.keys(manifest as object).filter((key) => /^(dependencies|scripts|private)$/.test(key)),
    ).toEqual([]);
    for (const format of ['esm', 'cjs']) {
      const code = readFileSync(join(built.folder, format, 'index.js'), 'utf8');
      expect(code.startsWith(`'use client';`) || code.startsWith(`"use client";`)).toBe(true);
      const imported = [...code.matchAll(/(?:\brequire\(|\bfrom ?)"([^"]+)"/g)].map(([, name]) => name);
      expect(new Set(imported)).toEqual(new Set(['react', 'react/jsx-runtime']));
      expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES);
    }
    const files = readdirSync(built.folder, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'esm/index.d.ts', 'cjs/index.d.ts']));
    expect(files.filter((file) => /\.(?<!\.d\.)ts$|\.map$|test/.test(file))).toEqual([]);
  });

  it('is clean for publint and arethetypeswrong', () => {
    const output = execFileSync(process.execPath, [`${root}tests/sdk/check-package.mjs`, built.tarball], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({ problems: [], messages: [] });
  });

  it.each(['module', 'commonjs'] as const)('renders an empty element on a server, as a %s', (type) => {
    const get =
      type === 'module'
        ? (name: string) => `await import('${name}')`
        : (name: string) => `require('${name}')`;
    const program = `(async () => {
      const { createElement } = ${get('react')};
      const { renderToString } = ${get('react-dom/server')};
      const { SvcForm } = ${get('@svcforms/react')};
      const props = { formId: 'frm_x', src: 'https://forms.example.com/embed.js', className: 'contact' };
      console.log(renderToString(createElement(SvcForm, props)));
    })()`;
    const { stdout, stderr } = spawnSync(process.execPath, [`--input-type=${type}`, '-e', program], {
      cwd: built.project,
      encoding: 'utf8',
    });
    expect([stdout.trim(), stderr]).toEqual(['<div class="contact"></div>', '']);
  });

  it.each([
    ['the TypeScript of this repository', 'node_modules/typescript/bin/tsc', 'nodenext'],
    ['TypeScript 5', 'sdks/typescript/node_modules/typescript/bin/tsc', 'nodenext'],
    ['TypeScript 5 with a bundler', 'sdks/typescript/node_modules/typescript/bin/tsc', 'bundler'],
  ])('has types for %s', (_, tsc, resolution) => {
    for (const name of ['consumer.mts', 'consumer.cts']) writeFileSync(join(built.project, name), CONSUMER);
    const isBundled = resolution === 'bundler';
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    const args = [...options, '--types', 'react', '--module', isBundled ? 'esnext' : 'nodenext'];
    const files = isBundled ? ['consumer.mts'] : ['consumer.mts', 'consumer.cts'];
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, tsc), ...args, '--moduleResolution', resolution, ...files],
      { cwd: built.project, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
  });
});
