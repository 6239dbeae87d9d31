import { Text } from '@mantine/core';
import type { AgentOut } from '@svcforms/contracts';
import { IconRobot } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { agentListQuery, disconnectAgent } from '../../api/agents.ts';
import { useHasScope } from '../../api/session.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { NameList } from '../../components/name-list.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { agentTexts as texts } from '../../texts/agents.ts';
import { settingsTexts } from '../../texts/settings.ts';

/** The agents that the user connected; for those who manage keys, all of the account. */
export function AgentsScreen() {
  const queryClient = useQueryClient();
  const isDeveloper = useHasScope('keys:manage');
  const list = useInfiniteQuery(agentListQuery);
  const agents = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const disconnect = useMutation({
    mutationFn: ({ id }: AgentOut) => disconnectAgent(id),
    // Access must not look revoked before it is.
    onSettled: () => queryClient.invalidateQueries({ queryKey: agentListQuery.queryKey }),
  });

  const columns: readonly Column<AgentOut>[] = [
    {
      label: texts.columns.name,
      cell: ({ name }) => (
        <Text span fw={600}>
          {name}
        </Text>
      ),
    },
    {
      label: texts.columns.host,
      cell: ({ redirectHost }) => (redirectHost === 'localhost' ? texts.thisComputer : redirectHost),
    },
    { label: texts.columns.scopes, cell: ({ scopes }) => <NameList names={scopes} /> },
    { label: texts.columns.user, cell: ({ user }) => user.name ?? texts.formerUser },
    { label: texts.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: texts.columns.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.neverUsed : <Time at={lastUsedAt} />),
    },
    {
      label: texts.columns.actions,
      cell: (agent) => (
        <DeleteButton
          size="xs"
          name={texts.disconnectOf(agent.name)}
          loading={disconnect.isPending && disconnect.variables.id === agent.id}
          question={{
            title: texts.disconnectTitle(agent.name),
            text: texts.disconnectText,
            confirm: texts.disconnect,
            onConfirm: () => disconnect.mutate(agent),
          }}
        />
      ),
    },
  ];

  return (
    <Page title={texts.title} of={settingsTexts.title}>
      <Text c="dimmed">{texts.intro}</Text>
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && agents.length === 0 && (
        <EmptyState icon={IconRobot} text={texts.empty}>
          {isDeveloper && <TextLink to="/developers">{texts.howTo}</TextLink>}
        </EmptyState>
      )}
      {agents.length > 0 && (
        <DataTable name={texts.title} columns={columns} rows={agents} keyOf={({ id }) => id} />
      )}
      <MoreButton query={list} />
    </Page>
  );
}
