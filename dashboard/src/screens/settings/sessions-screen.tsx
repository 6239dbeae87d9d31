import { Button, Group, Text } from '@mantine/core';
import type { SessionOut } from '@svcforms/contracts';
import { IconLogout } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { endAllSessions, endSession, sessionListQuery } from '../../api/session.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { confirmDelete } from '../../components/delete-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { exactTime } from '../../components/time-format.ts';
import { Time } from '../../components/time.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { browserName } from './browser-name.ts';

const texts = settingsTexts.sessions;

/** The sessions of the current user. */
export function SessionsScreen() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const list = useQuery(sessionListQuery);
  const end = useMutation({
    mutationFn: ({ id }: SessionOut) => endSession(id),
    // Access must not look revoked before it is.
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionListQuery.queryKey }),
  });
  const endAll = useMutation({
    mutationFn: endAllSessions,
    async onSuccess() {
      await router.navigate({ to: '/login' });
      queryClient.clear();
    },
  });

  const columns: readonly Column<SessionOut>[] = [
    {
      label: texts.columns.browser,
      cell: ({ userAgent, isCurrent }) => (
        <Group gap="xs">
          <Text span title={userAgent ?? undefined}>
            {userAgent === null ? texts.unknown : browserName(userAgent)}
          </Text>
          {isCurrent && <StatusBadge tone="good">{texts.current}</StatusBadge>}
        </Group>
      ),
    },
    { label: texts.columns.ip, cell: ({ ip }) => ip ?? texts.unknown },
    { label: texts.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: texts.columns.lastSeen,
      cell: ({ lastSeenAt }) => (lastSeenAt === null ? texts.unknown : <Time at={lastSeenAt} />),
    },
    {
      label: texts.columns.actions,
      cell: (session) =>
        !session.isCurrent && (
          <Button
            size="xs"
            variant="default"
            aria-label={texts.endOf(
              session.userAgent === null ? texts.unknown : browserName(session.userAgent),
              // Most users have several with the same browser.
              exactTime(session.createdAt),
            )}
            loading={end.isPending && end.variables.id === session.id}
            onClick={() => end.mutate(session)}
          >
            {texts.end}
          </Button>
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
          c="var(--mantine-color-error)"
          leftSection={<IconLogout size={16} aria-hidden />}
          loading={endAll.isPending}
          onClick={() =>
            confirmDelete({
              title: texts.endAllTitle,
              text: texts.endAllText,
              confirm: texts.endAll,
              onConfirm: () => endAll.mutate(),
            })
          }
        >
          {texts.endAll}
        </Button>
      }
    >
      <Text c="dimmed">{texts.intro}</Text>
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && (
        <DataTable name={texts.title} columns={columns} rows={list.data} keyOf={({ id }) => id} />
      )}
    </Page>
  );
}
