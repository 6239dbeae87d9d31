export { readConsent } from '../consent/read-consent.ts';
