export { watchConsent } from '../consent/watch-consent.ts';
// Cached loaders of earlier versions import this name.
export { readConsent } from '../consent/read-consent.ts';
