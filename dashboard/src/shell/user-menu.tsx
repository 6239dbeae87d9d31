import { ActionIcon, Menu, Text } from '@mantine/core';
import type { MeOut } from '@svcforms/contracts';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { shellTexts } from '../texts/shell.ts';
import { useLogOut } from '../api/use-log-out.ts';

/** The logged-in user, and the logout button. */
export function UserMenu({ me }: { me: MeOut }) {
  const leave = useLogOut();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={shellTexts.userMenu}>
          <IconUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600} c="var(--mantine-color-text)">
            {me.name}
          </Text>
          {me.email}
          <br />
          {shellTexts.roles[me.role]}, {me.account.name}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => leave.mutate()}>
          {shellTexts.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
