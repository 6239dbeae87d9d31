import { Button, Group, Text } from '@mantine/core';
import type { GroupOut } from '@svcforms/contracts';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { atOnce, withoutIt } from '../../api/at-once.ts';
import { allGroupsQuery, deleteGroup } from '../../api/groups.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { groupsTexts as texts } from '../../texts/groups.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { GroupDialog } from './group-dialog.tsx';

/** The groups of users that decide tasks. */
export function GroupsScreen() {
  const queryClient = useQueryClient();
  const groups = useQuery(allGroupsQuery);
  const [edited, setEdited] = useState<GroupOut | 'new' | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: GroupOut) => deleteGroup(id),
    ...atOnce<GroupOut, GroupOut>(queryClient, [allGroupsQuery.queryKey], withoutIt),
  });
  const columns: readonly Column<GroupOut>[] = [
    {
      label: texts.name,
      cell: ({ name }) => (
        <Text span fw={600}>
          {name}
        </Text>
      ),
    },
    { label: texts.members, cell: ({ members }) => texts.count(members.length) },
    { label: texts.changed, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      label: settingsTexts.users.columns.actions,
      cell: (group) => (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="xs"
            variant="default"
            aria-label={texts.editTitle(group.name)}
            onClick={() => setEdited(group)}
          >
            {texts.edit}
          </Button>
          <DeleteButton
            size="xs"
            name={`${texts.remove} ${group.name}`}
            question={{
              title: texts.removeTitle(group.name),
              text: texts.removeText,
              confirm: texts.remove,
              onConfirm: () => remove.mutate(group),
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
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          {texts.add}
        </Button>
      }
    >
      <Text c="dimmed">{texts.about}</Text>
      {groups.isPending && <Loading shape="rows" />}
      {groups.isError && !groups.data && <FailureAlert error={groups.error} retry={groups.refetch} />}
      {groups.data?.length === 0 && <EmptyState icon={IconUsersGroup} text={texts.empty} />}
      {groups.data && groups.data.length > 0 && (
        <DataTable name={texts.title} columns={columns} rows={groups.data} keyOf={({ id }) => id} />
      )}
      {edited && <GroupDialog group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}
