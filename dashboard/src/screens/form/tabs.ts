import type { Scope } from '@svcforms/contracts';
import { formTexts } from '../../texts/form.ts';

/** The screens of a form, in the order of the tabs, for whoever has the scope. */
export const FORM_TABS = [
  { to: '/forms/$formId', label: formTexts.tabs.overview, scope: 'forms:read' },
] as const satisfies readonly { to: string; label: string; scope: Scope }[];
