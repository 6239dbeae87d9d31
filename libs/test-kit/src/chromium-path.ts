/**
 * The browser of the tests: Debian's Chromium unless `CHROMIUM_PATH` is set. Its headless shell would
 * take a quarter less CPU time, but has no back/forward cache and windows that never lose focus.
 */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
