// The program of a template process. tools/build/template-program.mjs bundles it into one text.
import { createEngine } from './engine.ts';
import type { Job, ProcessMessage } from './job.ts';

const run = createEngine();
const send = (message: ProcessMessage): void => void process.send?.(message);

process.on('message', (job: Job) => send({ kind: 'done', result: run(job) }));
send({ kind: 'ready' });
