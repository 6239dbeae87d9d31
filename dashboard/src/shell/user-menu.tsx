import { ActionIcon, Menu, Text } from '@mantine/core';
import type { MeOut } from '@svcforms/contracts';
import { IconLogout, IconUser } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { logOut } from '../api/session.ts';
import { shellTexts } from '../texts/shell.ts';

/** The logged-in user, and the logout button. */
export function UserMenu({ me }: { me: MeOut }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const leave = useMutation({
    mutationFn: logOut,
    async onSuccess() {
      await router.navigate({ to: '/login' });
      queryClient.clear();
    },
  });
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
