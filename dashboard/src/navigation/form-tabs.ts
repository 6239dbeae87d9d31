import type { Scope } from '@svcforms/contracts';
import { formTexts } from '../texts/form.ts';

/** The screens of a form. A screen is visible to users with its scope. */
export const FORM_TABS = [
  { to: '/forms/$formId', label: formTexts.tabs.overview, scope: 'forms:read' },
  { to: '/forms/$formId/build', label: formTexts.tabs.build, scope: 'forms:write' },
  { to: '/forms/$formId/display', label: formTexts.tabs.display, scope: 'forms:write' },
  { to: '/forms/$formId/languages', label: formTexts.tabs.languages, scope: 'forms:write' },
  { to: '/forms/$formId/publish', label: formTexts.tabs.publish, scope: 'forms:write' },
  { to: '/forms/$formId/submissions', label: formTexts.tabs.submissions, scope: 'submissions:read' },
  { to: '/forms/$formId/webhooks', label: formTexts.tabs.webhooks, scope: 'forms:webhooks:manage' },
  { to: '/forms/$formId/integrations', label: formTexts.tabs.inbound, scope: 'forms:inbound:manage' },
  { to: '/forms/$formId/share', label: formTexts.tabs.share, scope: 'forms:read' },
  { to: '/forms/$formId/settings', label: formTexts.tabs.settings, scope: 'forms:write' },
] as const satisfies readonly { to: string; label: string; scope: Scope }[];
