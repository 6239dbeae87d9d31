import { Alert, Button, Text } from '@mantine/core';
import { DEFAULT_INBOUND_NAME, type Plan } from '@svcforms/contracts';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { mayLogOut } from '../../api/before-log-out.ts';
import { createInbound, inboundListQuery } from '../../api/inbound.ts';
import { useMe } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';
import { UnpublishedAlert } from '../form/layout/unpublished-alert.tsx';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { EndpointList } from './endpoint-list.tsx';
import { Endpoint, type NewSecret } from './endpoint.tsx';
import { SigningDialog } from './signing-dialog.tsx';

/** docs/reference/authentication.md#plans */
const PLANS_WITH_INBOUND: readonly Plan[] = ['pro', 'business'];

/** The inbound endpoints of a form. */
export function InboundScreen() {
  const form = useSavedForm();
  const { account } = useMe();
  const queryClient = useQueryClient();
  const list = useQuery(inboundListQuery(form.id));
  const endpoints = list.data ?? [];
  const [first] = endpoints;
  // Somebody else may create another endpoint while the field mapping of the only one is edited.
  // The editor stays until the user has finished, even while the mapping is as it was.
  const [editedId, setEditedId] = useState<string>();
  const shown = endpoints.length > 1 ? endpoints.find(({ id }) => id === editedId) : first;
  const heading = useRef<HTMLHeadingElement>(null);
  const [isCreating, setCreating] = useState(false);
  // The dialog shows one new secret after the other.
  const [newSecrets, setNewSecrets] = useState<readonly NewSecret[]>([]);

  async function create(secret: string | true | undefined, name: string): Promise<void> {
    const {
      token,
      secret: generated,
      ...created
    } = await createInbound(form.id, { name, ...(secret === undefined ? {} : { secret }) });
    queryClient.setQueryData(inboundListQuery(form.id).queryKey, (all = []) => [...all, created]);
    setEditedId(undefined);
    if (token === null) toastSuccess(texts.lost);
    setNewSecrets([
      ...(token ? [{ title: texts.tokenTitle, label: texts.token, secret: token }] : []),
      ...(generated ? [{ title: texts.secretTitle, label: texts.secret, secret: generated }] : []),
    ]);
  }

  function showList(): void {
    setEditedId(undefined);
    // The list replaces the editor with its focused button.
    if (endpoints.length > 1) heading.current?.focus();
  }

  return (
    <Page
      headingRef={heading}
      title={texts.title}
      of={form.name}
      actions={
        first && (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            // With a second endpoint, the list replaces the editor of the first, which asks as
            // before a log out.
            onClick={() => void mayLogOut().then(setCreating)}
          >
            {texts.create}
          </Button>
        )
      }
    >
      <Text c="dimmed">{texts.intro}</Text>
      <UnpublishedAlert text={texts.unpublished} />
      {!PLANS_WITH_INBOUND.includes(account.plan) && (
        <Alert variant="outline" color="orange" title={texts.plan}>
          {texts.planText}
        </Alert>
      )}
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && !first && (
        <EmptyState icon={IconPlugConnected} text={texts.empty}>
          <Button onClick={() => setCreating(true)}>{texts.create}</Button>
        </EmptyState>
      )}
      {endpoints.length > 1 && !shown && <EndpointList endpoints={endpoints} />}
      {shown && endpoints.length > 1 && (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => void mayLogOut().then((mayLeave) => mayLeave && showList())}
        >
          {texts.back}
        </Button>
      )}
      {shown && (
        <Endpoint
          key={shown.id}
          form={form}
          endpoint={shown}
          onNewSecret={(newSecret) => setNewSecrets([newSecret])}
          onEdited={(isEdited) => (isEdited ? setEditedId(shown.id) : showList())}
        />
      )}
      {isCreating && (
        <SigningDialog
          title={texts.createTitle}
          confirm={texts.create}
          initialChoice="none"
          initialName={DEFAULT_INBOUND_NAME}
          onSave={create}
          onClose={() => setCreating(false)}
        />
      )}
      <SecretDialog
        key={newSecrets.length}
        title={newSecrets[0]?.title ?? ''}
        label={newSecrets[0]?.label ?? ''}
        secret={newSecrets[0]?.secret ?? null}
        onDone={() => setNewSecrets(newSecrets.slice(1))}
      />
    </Page>
  );
}
