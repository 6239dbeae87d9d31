import { Box, Stack, Title } from '@mantine/core';
import type { Scope } from '@svcforms/contracts';
import { Outlet } from '@tanstack/react-router';
import { hasScope, useMe } from '../../../api/session.ts';
import { TabLink, Tabs, TextLink } from '../../../components/links.tsx';
import { formTexts } from '../../../texts/form.ts';
import { useSavedForm } from './use-saved-form.ts';

/** A tab is visible to users with its scope. */
const TABS = [
  { to: '/forms/$formId', label: formTexts.tabs.overview, scope: 'forms:read' },
  { to: '/forms/$formId/build', label: formTexts.tabs.build, scope: 'forms:write' },
  { to: '/forms/$formId/display', label: formTexts.tabs.display, scope: 'forms:write' },
  { to: '/forms/$formId/languages', label: formTexts.tabs.languages, scope: 'forms:write' },
  { to: '/forms/$formId/submissions', label: formTexts.tabs.submissions, scope: 'submissions:read' },
  { to: '/forms/$formId/webhooks', label: formTexts.tabs.webhooks, scope: 'forms:webhooks:manage' },
  { to: '/forms/$formId/integrations', label: formTexts.tabs.inbound, scope: 'forms:inbound:manage' },
  { to: '/forms/$formId/share', label: formTexts.tabs.share, scope: 'forms:read' },
] as const satisfies readonly { to: string; label: string; scope: Scope }[];

/** The name of the form and its tabs. */
export function FormLayout() {
  const form = useSavedForm();
  const me = useMe();
  return (
    <Stack gap="md">
      <Box>
        <TextLink to="/forms" size="sm">
          {formTexts.allForms}
        </TextLink>
        <Title order={1} size="h2">
          {form.name}
        </Title>
      </Box>
      <Tabs label={formTexts.tabs.label}>
        {TABS.filter(({ scope }) => hasScope(me, scope)).map(({ to, label }) => (
          <TabLink
            key={to}
            to={to}
            params={{ formId: form.id }}
            activeOptions={{ exact: to === '/forms/$formId' }}
          >
            {label}
          </TabLink>
        ))}
      </Tabs>
      <Outlet />
    </Stack>
  );
}
