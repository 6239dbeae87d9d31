import type { Scope } from '@svcforms/contracts';
import { IconCode, IconForms, IconInbox, IconSettings } from '@tabler/icons-react';
import { shellTexts } from '../texts/shell.ts';

/** The areas of the product. An area is visible to users with its scope. */
export const NAVIGATION = [
  { to: '/forms', label: shellTexts.navigation.forms, icon: IconForms, scope: 'forms:read' },
  { to: '/tasks', label: shellTexts.navigation.inbox, icon: IconInbox, scope: 'tasks:read' },
  { to: '/developers', label: shellTexts.navigation.developers, icon: IconCode, scope: 'keys:manage' },
  { to: '/settings', label: shellTexts.navigation.settings, icon: IconSettings, scope: undefined },
] as const satisfies readonly {
  to: string;
  label: string;
  icon: typeof IconForms;
  scope: Scope | undefined;
}[];
