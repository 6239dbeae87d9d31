export { watchConsent } from '../consent/watch-consent.ts';
// For a loader that a browser kept over an update.
export { readConsent } from '../consent/read-consent.ts';
