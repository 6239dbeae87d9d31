// node tools/run.mjs check/python: runs the tests of sdks/python alone.
import { buildProduct } from '../setup/install.mjs';
import { runPythonTests } from './python-tests.ts';

buildProduct();
const { passed, failed, skipped, reasons } = runPythonTests();
for (const [reason, count] of reasons) console.log(`skipped ${count}: ${reason}`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed > 0 ? 1 : 0);
