import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { root } from './setup.mjs';

/** As in the Dockerfile. */
const MEMORY_ARGS = ['--max-semi-space-size=8'];

/**
 * Starts a built service on a free port, with nothing of this environment but what is given; resolves when it is ready.
 * `nodeArgs` stand before the program.
 */
export async function startProduct(name, { env, stdio, nodeArgs = [] }) {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...MEMORY_ARGS, ...nodeArgs, `${root}dist/${name}.cjs`], {
    env: { PATH: process.env.PATH, SVC_PORT: String(port), ...env },
    stdio,
  });
  await until(() => {
    if (child.exitCode !== null) throw new Error(`${name} ended with exit code ${child.exitCode}`);
    return fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    );
  }, `${name} to be ready`);
  return { child, baseUrl };
}

/** Calls `probe` until it says true. What it throws is final. */
export async function until(probe, what) {
  const deadline = Date.now() + 60_000;
  while (!(await probe())) {
    if (Date.now() > deadline) throw new Error(`waited 60 s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** POSTs JSON to the API; gives `data` of the answer. */
export async function post(url, token, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { success, data, message } = await answer.json();
  if (!success) throw new Error(`POST ${url}: ${answer.status} ${message}`);
  return data;
}
