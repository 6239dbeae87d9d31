import type { Scope } from '@svcforms/contracts';
import { settingsTexts as texts } from '../texts/settings.ts';

/** The sections of the settings. A section is visible to users with its scope. */
export const SETTINGS_TABS = [
  { to: '/settings', label: texts.tabs.profile, scope: undefined },
  { to: '/settings/account', label: texts.tabs.account, scope: undefined },
  { to: '/settings/users', label: texts.tabs.users, scope: 'users:manage' },
  { to: '/settings/keys', label: texts.tabs.keys, scope: 'keys:manage' },
  { to: '/settings/agents', label: texts.tabs.agents, scope: undefined },
  { to: '/settings/webhooks', label: texts.tabs.webhooks, scope: 'forms:webhooks:manage' },
  { to: '/settings/audit-log', label: texts.tabs.audit, scope: 'audit:read' },
  { to: '/settings/sessions', label: texts.tabs.sessions, scope: undefined },
] as const satisfies readonly { to: string; label: string; scope: Scope | undefined }[];
