// @ts-check
// node run-program.mjs PROGRAM [argument …]: runs a bundled program of the product for tests and tools, by its absolute
// path. It ends with the process that started it.
import crypto from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import v8 from 'node:v8';
import { Script } from 'node:vm';

process.argv.splice(1, 1);
const [, filename = ''] = process.argv;
const { SVC_TEST_RUN: testRun, HASH_CHEAPLY: hashCheaply } = process.env;
delete process.env['HASH_CHEAPLY'];

// Even if the parent was killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();
if (hashCheaply) replaceHash();
runProgram();

/**
 * A hash at full cost takes a core for almost half a second, and each first start needs one. Only the call is replaced:
 * the stored hash still names the full cost.
 */
function replaceHash() {
  const { scrypt } = crypto;
  /** @type {(...args: Parameters<typeof scrypt>) => void} */
  const cheap = (password, salt, length, options, done) =>
    scrypt(password, salt, length, { ...options, N: 16 }, done);
  Object.assign(crypto, { scrypt: cheap });
}

/**
 * Most of a start is spent on compiling. In a test run, the first process of a program therefore keeps the compiled code
 * in the folder of the run, and the later ones use it.
 */
function runProgram() {
  const kept = testRun && join(testRun, `${basename(filename)}.compiled`);
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'latin1')}\n})`;
  const script = new Script(source, {
    filename,
    cachedData: kept ? readIfExists(kept) : undefined,
  });
  if (kept && script.cachedDataRejected !== false) keepCompiled(script, kept);
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename));
}

/** @param {string} file */
function readIfExists(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Keeps what is compiled when the program sets flags of V8, which refuses code that was kept under other flags, or else
 * when it ends. Processes that start at the same time each keep theirs, and the last one stays.
 *
 * @param {Script} script
 * @param {string} file
 */
function keepCompiled(script, file) {
  const { setFlagsFromString } = v8;
  let isKept = false;
  const keep = () => {
    if (isKept) return;
    isKept = true;
    writeFileSync(`${file}-${process.pid}`, script.createCachedData());
    renameSync(`${file}-${process.pid}`, file);
  };
  v8.setFlagsFromString = (flags) => {
    keep();
    setFlagsFromString(flags);
  };
  process.once('exit', keep);
}
