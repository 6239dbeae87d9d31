import { Radio, Stack } from '@mantine/core';
import { ROLES } from '@svcforms/contracts';
import type { ComponentProps } from 'react';
import { useMe } from '../../api/session.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { shellTexts } from '../../texts/shell.ts';

/** Chooses a role. Only owners can make somebody an owner. */
export function RoleInput(props: Omit<ComponentProps<typeof Radio.Group>, 'children'>) {
  const me = useMe();
  return (
    <Radio.Group {...props}>
      <Stack gap="xs" mt="xs">
        {ROLES.map((role) => (
          <Radio
            key={role}
            value={role}
            disabled={role === 'owner' && me.role !== 'owner'}
            label={`${shellTexts.roles[role]}: ${settingsTexts.users.roleHints[role]}`}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
