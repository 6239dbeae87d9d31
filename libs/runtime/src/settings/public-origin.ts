import type { Settings } from './settings.ts';

/** What links and problem types begin with; no slash at its end. */
export function publicOrigin(settings: Settings): string {
  return settings.SVC_BASE_URL ?? `http://localhost:${settings.SVC_PORT}`;
}
