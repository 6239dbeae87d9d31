import type { Settings } from './settings.ts';

/** The prefix of links and problem types, without a trailing slash. */
export function publicOrigin(settings: Settings): string {
  return settings.SVC_BASE_URL ?? `http://localhost:${settings.SVC_PORT}`;
}
