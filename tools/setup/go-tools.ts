// node tools/run.mjs setup/go-tools: builds the programs that tests/load and tests/manifests need,
// once. Prints what could not be built; the tests then say so too.
import { goTools, installGoTool } from '../lib/go-tools.ts';

const installed = goTools.map(installGoTool);
process.exitCode = installed.every(Boolean) ? 0 : 1;
