import { root } from '@svcforms/test-kit';
import { build } from 'esbuild';

/** Where each version of React is installed. */
const FOLDERS = { 18: `${root}sdks/react/node_modules`, 19: `${root}node_modules` } as const;

export type ReactVersion = keyof typeof FOLDERS;

/**
 * A page calls `show(props)`, and `show()` to show nothing. `heard` lists the events that the
 * component reported.
 */
const APP = `
import { createElement, StrictMode, version } from 'react';
import { createRoot } from 'react-dom/client';
import { closeForm, openForm, SvcForm } from '@svcforms/react';

const reactRoot = createRoot(document.querySelector('#app'));
const heard = [];
const handlers = (names, tell) =>
  Object.fromEntries(names.map((name) => [name, (detail) => heard.push([tell + name, detail.formId ?? detail.message, detail])]));
const names = ['onShown', 'onStep', 'onSubmitted', 'onError', 'onLoadError'];
Object.assign(window, {
  heard,
  version,
  openForm,
  closeForm,
  show: (props, tell = '') =>
    reactRoot.render(createElement(StrictMode, null, props && createElement(SvcForm, { ...handlers(names, tell), ...props }))),
});
`;

/** Bundles the app as a script. It is the development build, in which StrictMode mounts twice. */
export async function bundleReactApp(version: ReactVersion): Promise<string> {
  const folder = FOLDERS[version];
  const { outputFiles } = await build({
    stdin: { contents: APP, resolveDir: root, loader: 'js' },
    alias: {
      react: `${folder}/react`,
      'react-dom': `${folder}/react-dom`,
      '@svcforms/react': `${root}sdks/react/src/index.ts`,
    },
    define: { 'process.env.NODE_ENV': '"development"' },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
