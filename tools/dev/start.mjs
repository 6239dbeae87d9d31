// @ts-check
// npm start: the whole product in this process, on the embedded stores unless NATS_URL and
// MONGODB_URL say otherwise.
import { createRequire } from 'node:module';
import { buildProduct, ensureInstalled } from '../setup/install.mjs';

ensureInstalled();
buildProduct();
createRequire(import.meta.url)('../../dist/standalone.cjs');
