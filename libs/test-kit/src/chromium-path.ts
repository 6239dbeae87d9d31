/** The browser of tests: Debian's, unless `CHROMIUM_PATH` says otherwise. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
