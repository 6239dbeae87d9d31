import { Box, Group, Stack, Title } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { hasScope, useMe } from '../../../api/session.ts';
import { TabLink, Tabs, TextLink } from '../../../components/links.tsx';
import { formTexts } from '../../../texts/form.ts';
import { FORM_TABS } from '../../../navigation/form-tabs.ts';
import { FormStatus } from './form-status.tsx';
import { useSavedForm } from './use-saved-form.ts';

/** A tab is visible to users with its scope. */
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
        <Group gap="sm">
          <Title order={1} size="h2">
            {form.name}
          </Title>
          <FormStatus form={form} />
        </Group>
      </Box>
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
      <Outlet />
    </Stack>
  );
}
