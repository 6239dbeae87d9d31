// @ts-check
// npm start: the whole product in this process, on the embedded stores unless NATS_URL and
// MONGODB_URL say otherwise.
import { createRequire } from 'node:module';
import { buildProduct, ensureInstalled } from '../setup/install.mjs';

const parent = process.ppid;

ensureInstalled();
buildProduct();
if (process.env['npm_lifecycle_event'] === 'start') stopWithNpm();
createRequire(import.meta.url)('../../dist/standalone.cjs');

/**
 * npm passes a signal on to its shell alone, which ends without telling this process. The product
 * would keep its port.
 */
function stopWithNpm() {
  let hasEnded = false;
  const timer = setInterval(() => {
    // Not at once: a signal that ended npm may also have been sent to this process, which
    // would receive it after this timer.
    if (hasEnded) process.kill(process.pid, 'SIGTERM');
    hasEnded = process.ppid !== parent;
  }, 500);
  timer.unref();
  // A second signal would interrupt the stop.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => clearInterval(timer));
}
