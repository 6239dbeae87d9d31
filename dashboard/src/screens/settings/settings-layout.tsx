import { Stack, Title } from '@mantine/core';
import type { Scope } from '@svcforms/contracts';
import { Outlet } from '@tanstack/react-router';
import { hasScope, useMe } from '../../api/session.ts';
import { TabLink, Tabs } from '../../components/links.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';

const TABS = [
  { to: '/settings', label: texts.tabs.profile, scope: undefined },
  { to: '/settings/account', label: texts.tabs.account, scope: undefined },
  { to: '/settings/users', label: texts.tabs.users, scope: 'users:manage' },
  { to: '/settings/keys', label: texts.tabs.keys, scope: 'keys:manage' },
  { to: '/settings/webhooks', label: texts.tabs.webhooks, scope: 'forms:webhooks:manage' },
  { to: '/settings/audit-log', label: texts.tabs.audit, scope: 'audit:read' },
  { to: '/settings/sessions', label: texts.tabs.sessions, scope: undefined },
] as const satisfies readonly { to: string; label: string; scope: Scope | undefined }[];

export function SettingsLayout() {
  const me = useMe();
  return (
    <Stack gap="md" maw={960}>
      <Title order={1} size="h2">
        {texts.title}
      </Title>
      <Tabs label={texts.tabs.label}>
        {TABS.filter(({ scope }) => hasScope(me, scope)).map(({ to, label }) => (
          <TabLink key={to} to={to} activeOptions={{ exact: true }}>
            {label}
          </TabLink>
        ))}
      </Tabs>
      <Outlet />
    </Stack>
  );
}
