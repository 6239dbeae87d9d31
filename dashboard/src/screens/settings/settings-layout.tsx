import { Stack, Title } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { hasScope, useMe } from '../../api/session.ts';
import { TabLink, Tabs } from '../../components/links.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import { SETTINGS_TABS } from '../../navigation/settings-tabs.ts';
import { useMayOpen } from '../../navigation/use-may-open.ts';
import { NoAccess } from '../../shell/error-screen.tsx';

export function SettingsLayout() {
  const me = useMe();
  const mayOpen = useMayOpen(SETTINGS_TABS);
  return (
    <Stack gap="md" maw={1200}>
      <Title order={1} size="h2">
        {texts.title}
      </Title>
      <Tabs label={texts.tabs.label}>
        {SETTINGS_TABS.filter(({ scope }) => hasScope(me, scope)).map(({ to, label }) => (
          <TabLink key={to} to={to} activeOptions={{ exact: to === '/settings' }}>
            {label}
          </TabLink>
        ))}
      </Tabs>
      {mayOpen ? <Outlet /> : <NoAccess of={texts.title} />}
    </Stack>
  );
}
