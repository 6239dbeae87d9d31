import { Group, Stack, Text, Title } from '@mantine/core';
import { Outlet, useMatches } from '@tanstack/react-router';
import { hasScope, useMe } from '../../../api/session.ts';
import { TabLink, Tabs, TextLink } from '../../../components/links.tsx';
import { formTexts } from '../../../texts/form.ts';
import { FORM_TABS } from '../../../navigation/form-tabs.ts';
import { useMayOpen } from '../../../navigation/use-may-open.ts';
import { NoAccess, NotFound } from '../../../shell/error-screen.tsx';
import { FormStatus } from './form-status.tsx';
import { FormSwitcher } from './form-switcher.tsx';
import { useIsFormDeleted, useSavedForm } from './use-saved-form.ts';

/** The screens that offer to save what is on them when the form was deleted. */
const EDITORS: readonly string[] = [
  '/forms/$formId/build',
  '/forms/$formId/display',
  '/forms/$formId/languages',
  '/forms/$formId/settings',
];

/** The way to the form, with its name, and its tabs. A tab is visible to users with its scope. */
export function FormLayout() {
  const form = useSavedForm();
  const me = useMe();
  const mayOpen = useMayOpen(FORM_TABS);
  const isDeleted = useIsFormDeleted();
  const isEditor = EDITORS.includes(useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' }));
  if (isDeleted && !isEditor) return <NotFound />;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Group component="nav" aria-label={formTexts.breadcrumb} gap="xs" wrap="nowrap" miw="max-content">
            <TextLink to="/forms">{formTexts.forms}</TextLink>
            <Text c="dimmed" aria-hidden>
              /
            </Text>
          </Group>
          <Title order={1} size="h2" miw={0} lineClamp={2}>
            {form.name}
          </Title>
          <FormSwitcher formId={form.id} />
        </Group>
        <FormStatus form={form} />
      </Group>
      <Tabs label={formTexts.tabs.label}>
        {FORM_TABS.filter(({ scope }) => hasScope(me, scope)).map(({ to, label }) => (
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
      {mayOpen ? <Outlet /> : <NoAccess of={form.name} />}
    </Stack>
  );
}
