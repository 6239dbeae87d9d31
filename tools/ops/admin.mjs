// @ts-check
// npm run admin -- …: accounts, users and keys, from the shell.
import { createRequire } from 'node:module';
import { buildProduct, ensureInstalled } from '../setup/install.mjs';

ensureInstalled();
buildProduct();
createRequire(import.meta.url)('../../dist/admin.cjs');
