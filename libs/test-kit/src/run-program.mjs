// @ts-check
// node run-program.mjs PROGRAM [argument …]: runs a bundled program of the product (an absolute
// path) for tests and tools. The program ends with the process that started it.
//
// Its environment can contain two more variables, which the program doesn't see: HASH_CHEAPLY:
// passwords are hashed at a low cost. CODE_CACHE: a folder where the first process of a program
// keeps its compiled code, and the later ones read it.
import crypto from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import v8 from 'node:v8';
import { Script } from 'node:vm';

process.argv.splice(1, 1);
const [, filename = ''] = process.argv;
const { HASH_CHEAPLY: hashCheaply, CODE_CACHE: codeCache } = process.env;
delete process.env['HASH_CHEAPLY'];
delete process.env['CODE_CACHE'];

// The channel also closes when the parent is killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();
if (hashCheaply) replaceHash();
runProgram();

/**
 * A hash at full cost takes a core for almost half a second, and each first start needs one. Only
 * the call is replaced: the stored hash still names the full cost.
 */
function replaceHash() {
  const { scrypt } = crypto;
  /** @type {(...args: Parameters<typeof scrypt>) => void} */
  const cheap = (password, salt, length, options, done) =>
    scrypt(password, salt, length, { ...options, N: 16 }, done);
  Object.assign(crypto, { scrypt: cheap });
}

/** Most of a start is spent on compiling, and a run of the tests starts hundreds of processes. */
function runProgram() {
  const kept = codeCache && join(codeCache, `${basename(filename)}.compiled`);
  // The build leaves only ASCII, so that nothing has to be decoded.
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
 * Keeps what is compiled when the program first sets flags of V8
 * (libs/runtime/src/process/tune-v8.ts), or else when it ends. V8 refuses code that was kept under
 * other flags, and the next process reads it before it sets any. Processes that start at the same
 * time each keep theirs, and the last one stays.
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
    try {
      writeFileSync(`${file}-${process.pid}`, script.createCachedData());
      renameSync(`${file}-${process.pid}`, file);
    } catch {
      // The next process compiles it again.
    }
  };
  v8.setFlagsFromString = (flags) => {
    keep();
    setFlagsFromString(flags);
  };
  process.once('exit', keep);
}
