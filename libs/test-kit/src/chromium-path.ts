import { existsSync } from 'node:fs';

/**
 * The browser of the tests and tools: `CHROMIUM_PATH`, or Debian's Chromium. Its package without a
 * window (chromium-headless-shell) takes a quarter less CPU time, so it comes first. ADR 0094
 */
export const chromiumPath =
  process.env['CHROMIUM_PATH'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync) ??
  '/usr/bin/chromium';
