import type { Scope } from '@svcforms/contracts';
import { IconForms, IconInbox, IconSettings } from '@tabler/icons-react';
import { shellTexts } from '../texts/shell.ts';

/** The areas of the product, for whoever has the scope; without one, for everybody. */
export const NAVIGATION = [
  { to: '/forms', label: shellTexts.navigation.forms, icon: IconForms, scope: 'forms:read' },
  { to: '/tasks', label: shellTexts.navigation.inbox, icon: IconInbox, scope: 'tasks:read' },
  { to: '/settings', label: shellTexts.navigation.settings, icon: IconSettings, scope: undefined },
] as const satisfies readonly {
  to: string;
  label: string;
  icon: typeof IconForms;
  scope: Scope | undefined;
}[];
