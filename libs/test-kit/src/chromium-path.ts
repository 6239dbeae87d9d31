/**
 * The browser of the tests: Debian's Chromium unless `CHROMIUM_PATH` is set. Its headless shell takes
 * a quarter less CPU time, but it has no back/forward cache, and its windows never lose focus.
 */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
