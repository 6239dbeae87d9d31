import { Code, Text } from '@mantine/core';
import type { KeyOut } from '@svcforms/contracts';
import { IconKey } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { deleteKey, keyListQuery } from '../../api/keys.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { userListQuery } from '../../api/users.ts';
import { CreateKeyButton } from '../../components/create-key-button.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { NameList } from '../../components/name-list.tsx';
import { Page } from '../../components/page.tsx';
import { exactTime } from '../../components/time-format.ts';
import { Time } from '../../components/time.tsx';
import { keyTexts as texts } from '../../texts/keys.ts';
import { settingsTexts } from '../../texts/settings.ts';

export function KeysScreen() {
  const queryClient = useQueryClient();
  const list = useInfiniteQuery(keyListQuery);
  const keys = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const [users, hasAllUsers] = useAllPages(useInfiniteQuery(userListQuery));
  const creatorOf = (id: string | null) => {
    // No user or key created it: the first start or an admin command did, or an older version.
    if (id === null) return null;
    const known = [...users, ...keys].find((one) => one.id === id);
    if (known) return known.name;
    if (id.startsWith('key_')) return texts.createdByKey;
    return hasAllUsers ? texts.createdByUser : null;
  };
  const remove = useMutation({
    mutationFn: ({ id }: KeyOut) => deleteKey(id),
    // Access must not look revoked before it is.
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyListQuery.queryKey }),
  });

  const columns: readonly Column<KeyOut>[] = [
    {
      label: texts.columns.name,
      cell: ({ name }) => (
        <Text span fw={600}>
          {name}
        </Text>
      ),
    },
    {
      label: texts.columns.key,
      cell: ({ last4 }) => <Code style={{ whiteSpace: 'nowrap' }}>svc_key_…{last4}</Code>,
    },
    {
      label: texts.columns.scopes,
      cell: ({ scopes }) => (scopes.includes('*') ? texts.everything : <NameList names={scopes} />),
    },
    { label: texts.columns.expires, cell: ({ expiresAt }) => lifetime(expiresAt) },
    { label: texts.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { label: texts.columns.createdBy, cell: ({ createdBy }) => creatorOf(createdBy) },
    {
      label: texts.columns.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.neverUsed : <Time at={lastUsedAt} />),
    },
    {
      label: texts.columns.actions,
      cell: (key) => (
        <DeleteButton
          size="xs"
          name={texts.removeOf(key.name)}
          loading={remove.isPending && remove.variables.id === key.id}
          question={{
            title: texts.removeTitle(key.name),
            text: texts.removeText,
            confirm: texts.remove,
            onConfirm: () => remove.mutate(key),
          }}
        />
      ),
    },
  ];

  return (
    <Page title={texts.title} of={settingsTexts.title} actions={<CreateKeyButton />}>
      <Text c="dimmed">{texts.intro}</Text>
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && keys.length === 0 && <EmptyState icon={IconKey} text={texts.empty} />}
      {keys.length > 0 && (
        <DataTable name={texts.title} columns={columns} rows={keys} keyOf={({ id }) => id} />
      )}
      <MoreButton query={list} />
    </Page>
  );
}

function lifetime(expiresAt: string | null): string {
  if (expiresAt === null) return texts.never;
  return Date.parse(expiresAt) <= Date.now() ? texts.expired : exactTime(expiresAt);
}
