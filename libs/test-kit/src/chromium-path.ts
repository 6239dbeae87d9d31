import { existsSync } from 'node:fs';

/** The browser of the tests: Debian's Chromium unless `CHROMIUM_PATH` is set. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const shellPath = `${chromiumPath}-headless-shell`;

/**
 * The same browser without windows and tabs, for a quarter less CPU time, where Debian's package
 * `chromium-headless-shell` is installed. It has no back/forward cache, and no focus that windows
 * can lose.
 */
export const headlessShellPath = existsSync(shellPath) ? shellPath : chromiumPath;
