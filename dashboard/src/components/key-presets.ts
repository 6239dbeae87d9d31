import type { Scope } from '@svcforms/contracts';
import type { keyTexts } from '../texts/keys.ts';

/** A common kind of program that uses a key. */
export type KeyPreset = keyof typeof keyTexts.presets;

/** See docs/reference/authentication.md#scopes. */
export const KEY_PRESETS: Record<KeyPreset, readonly Scope[]> = {
  agent: ['forms:read', 'tasks:create', 'tasks:read'],
  readOnly: ['forms:read', 'submissions:read', 'tasks:read', 'events:read', 'audit:read'],
  integration: [
    'forms:read',
    'forms:webhooks:manage',
    'forms:inbound:manage',
    'submissions:read',
    'events:read',
  ],
  fullAccess: ['*'],
};

const PRESETS = Object.entries(KEY_PRESETS) as [KeyPreset, readonly Scope[]][];

/** Returns the preset with exactly these scopes, if there is one. */
export function presetOf(scopes: readonly Scope[]): KeyPreset | undefined {
  const isSame = (those: readonly Scope[]) =>
    those.length === scopes.length && those.every((scope) => scopes.includes(scope));
  return PRESETS.find(([, those]) => isSame(those))?.[0];
}
