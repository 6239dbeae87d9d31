// npm run admin -- …: accounts, users and keys, from the shell.
import { createRequire } from 'node:module';
import { ensureInstalled, runTool } from './setup.mjs';

ensureInstalled();
runTool('build');
createRequire(import.meta.url)('../dist/admin.cjs');
