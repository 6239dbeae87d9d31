import { Button, Group, Text } from '@mantine/core';
import type { UserOut } from '@svcforms/contracts';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invitationListQuery } from '../../api/invitations.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { deleteUser, userListQuery } from '../../api/users.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { shellTexts } from '../../texts/shell.ts';
import { Invitations } from './invitations.tsx';
import { UserDialog } from './user-dialog.tsx';

const texts = settingsTexts.users;

export function UsersScreen() {
  const me = useMe();
  const queryClient = useQueryClient();
  const list = useInfiniteQuery(userListQuery);
  const [edited, setEdited] = useState<UserOut | 'new' | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: UserOut) => deleteUser(id),
    // Access must not look revoked before it is. The invitations that the user has sent go too.
    onSettled: () =>
      Promise.all(
        [userListQuery, invitationListQuery].map(({ queryKey }) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
    // Users who delete themselves return to the login.
    onSuccess: (_, { id }) =>
      id === me.id ? queryClient.invalidateQueries({ queryKey: meQuery.queryKey }) : undefined,
  });

  const columns: readonly Column<UserOut>[] = [
    {
      label: texts.columns.name,
      cell: ({ id, name }) => (
        <Text span fw={600}>
          {name}
          {id === me.id && ` (${texts.you})`}
        </Text>
      ),
    },
    { label: texts.columns.email, cell: ({ email }) => email },
    { label: texts.columns.role, cell: ({ role }) => shellTexts.roles[role] },
    {
      label: texts.columns.secondFactor,
      cell: ({ hasSecondFactor }) => texts.secondFactor[hasSecondFactor ? 'on' : 'off'],
    },
    {
      label: texts.columns.actions,
      // Only owners manage owners.
      cell: (user) =>
        (user.role !== 'owner' || me.role === 'owner') && (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="xs"
              variant="default"
              aria-label={texts.editTitle(user.name)}
              onClick={() => setEdited(user)}
            >
              {texts.edit}
            </Button>
            <DeleteButton
              size="xs"
              name={`${texts.remove} ${user.name}`}
              loading={remove.isPending && remove.variables.id === user.id}
              question={{
                title: texts.removeTitle(user.name),
                text: texts.removeText(user.email),
                confirm: texts.remove,
                onConfirm: () => remove.mutate(user),
              }}
            />
          </Group>
        ),
    },
  ];

  return (
    <Page
      title={texts.title}
      of={settingsTexts.title}
      actions={
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {texts.add}
        </Button>
      }
    >
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && (
        <DataTable
          name={texts.title}
          columns={columns}
          rows={list.data.pages.flatMap(({ data }) => data)}
          keyOf={({ id }) => id}
        />
      )}
      <MoreButton query={list} />
      {/* The list above would move it. */}
      {!list.isPending && <Invitations />}
      {edited && <UserDialog user={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}
