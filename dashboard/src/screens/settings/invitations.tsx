import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { InvitationCreatedOut, InvitationOut } from '@svcforms/contracts';
import { IconMail } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invitationListQuery, resendInvitation, revokeInvitation } from '../../api/invitations.ts';
import { useMe } from '../../api/session.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { shellTexts } from '../../texts/shell.ts';
import { InvitationLinkDialog } from './invitation-link-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';

const texts = settingsTexts.invitations;

/** The invitations that nobody has accepted, below the users. */
export function Invitations() {
  const me = useMe();
  const queryClient = useQueryClient();
  const list = useInfiniteQuery(invitationListQuery);
  const [isInviting, setInviting] = useState(false);
  const [sent, setSent] = useState<InvitationCreatedOut | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: invitationListQuery.queryKey });
  const resend = useMutation({
    mutationFn: ({ id }: InvitationOut) => resendInvitation(id),
    onSuccess: setSent,
    onSettled: reload,
  });
  const revoke = useMutation({
    mutationFn: ({ id }: InvitationOut) => revokeInvitation(id),
    onSettled: reload,
  });

  const columns: readonly Column<InvitationOut>[] = [
    { label: texts.columns.email, cell: ({ email }) => email },
    { label: texts.columns.role, cell: ({ role }) => shellTexts.roles[role] },
    {
      label: texts.columns.status,
      cell: ({ status }) => (
        <StatusBadge tone={status === 'pending' ? 'open' : 'neutral'}>{texts.status[status]}</StatusBadge>
      ),
    },
    { label: texts.columns.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      label: texts.columns.actions,
      // Only owners manage owners.
      cell: (invitation) =>
        (invitation.role !== 'owner' || me.role === 'owner') && (
          <Group gap="xs" wrap="nowrap">
            <Button
              size="xs"
              variant="default"
              aria-label={texts.resendOf(invitation.email)}
              loading={resend.isPending && resend.variables.id === invitation.id}
              onClick={() => resend.mutate(invitation)}
            >
              {texts.resend}
            </Button>
            <DeleteButton
              size="xs"
              name={texts.revokeOf(invitation.email)}
              loading={revoke.isPending && revoke.variables.id === invitation.id}
              question={{
                title: texts.revokeTitle(invitation.email),
                text: texts.revokeText,
                confirm: texts.revoke,
                onConfirm: () => revoke.mutate(invitation),
              }}
            />
          </Group>
        ),
    },
  ];
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];

  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <Button leftSection={<IconMail size={16} aria-hidden />} onClick={() => setInviting(true)}>
          {texts.invite}
        </Button>
      </Group>
      <Text c="dimmed">{texts.intro}</Text>
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && rows.length === 0 && <Text>{texts.empty}</Text>}
      {rows.length > 0 && (
        <DataTable name={texts.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <MoreButton query={list} />
      {isInviting && (
        <InviteDialog
          onClose={() => setInviting(false)}
          onCreated={(created) => {
            setInviting(false);
            setSent(created);
            void reload();
          }}
        />
      )}
      {sent && <InvitationLinkDialog invitation={sent} onDone={() => setSent(null)} />}
    </Stack>
  );
}
