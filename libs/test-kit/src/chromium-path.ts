/** The browser of the tests: Debian's Chromium unless `CHROMIUM_PATH` is set. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
