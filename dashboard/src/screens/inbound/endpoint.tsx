import { Alert, Box, Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { FormOut, InboundOut, InboundPatch } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { atOnce } from '../../api/at-once.ts';
import { deleteInbound, inboundListQuery, rotateToken, updateInbound } from '../../api/inbound.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { DetailList } from '../../components/detail-list.tsx';
import { exactTime } from '../../components/time-format.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';
import { shellTexts } from '../../texts/shell.ts';
import { sampleBody } from '../../components/sample-body.ts';
import { curlCommands } from './curl.ts';
import { InboundRequests } from './inbound-requests.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { SigningDialog } from './signing-dialog.tsx';

/** A secret that the API returns only once. */
export interface NewSecret {
  title: string;
  label: string;
  secret: string;
}

/** One inbound endpoint with its settings, field mapping, examples and request log. */
export function Endpoint({
  form,
  endpoint,
  onNewSecret,
  onEdited,
  onDeleted,
}: {
  form: FormOut;
  endpoint: InboundOut;
  onNewSecret: (newSecret: NewSecret) => void;
  /** Receives true when the user edits the field mapping, and false after a save or discard. */
  onEdited?: (isEdited: boolean) => void;
  onDeleted?: () => void;
}) {
  const queryClient = useQueryClient();
  const { queryKey } = inboundListQuery(form.id);
  const cache = (changed: InboundOut) =>
    queryClient.setQueryData(queryKey, (all = []) =>
      all.map((each) => (each.id === changed.id ? changed : each)),
    );
  const curl = curlCommands(endpoint.url, sampleBody(form.fields, endpoint.fieldMapping));
  const signing = endpoint.requireTimestamp ? 'timestamped' : endpoint.hasSecret ? 'signed' : 'plain';
  return (
    <Stack gap="lg">
      <DetailList
        title={texts.about}
        rows={[
          ['name', texts.name, endpoint.name],
          ['url', texts.url, endpoint.url],
          ['token', texts.tokenEnds, endpoint.tokenLast4],
          ['signature', texts.signature, endpoint.hasSecret ? texts.signed : texts.unsigned],
          ['created', texts.created, exactTime(endpoint.createdAt)],
        ]}
      />
      <EndpointActions
        endpoint={endpoint}
        onChanged={cache}
        onNewSecret={onNewSecret}
        onDeleted={() => {
          onDeleted?.();
          queryClient.setQueryData(queryKey, (all = []) => all.filter(({ id }) => id !== endpoint.id));
        }}
      />
      <EndpointSwitches endpoint={endpoint} onChanged={cache} />
      <MappingEditor form={form} endpoint={endpoint} onEdited={onEdited} onSaved={cache} />
      <Box component="section" aria-label={texts.curl.title}>
        <Title order={3} size="h4" mb="xs">
          {texts.curl.title}
        </Title>
        <Stack gap="sm">
          <Text>{texts.curl.text}</Text>
          <CodeBlock title={texts.curl[signing]} code={curl[signing]} />
        </Stack>
      </Box>
      <InboundRequests fields={form.fields} endpoint={endpoint} />
    </Stack>
  );
}

/** Copy the URL, rotate the token, change the signing secret, rename and delete. */
function EndpointActions({
  endpoint,
  onChanged,
  onNewSecret,
  onDeleted,
}: {
  endpoint: InboundOut;
  onChanged: (changed: InboundOut) => void;
  onNewSecret: (newSecret: NewSecret) => void;
  onDeleted: () => void;
}) {
  const [isSigning, setSigning] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const rotate = useMutation({
    mutationFn: () => rotateToken(endpoint),
    onSuccess({ token, ...changed }) {
      onChanged(changed);
      if (token) onNewSecret({ title: texts.tokenRotatedTitle, label: texts.token, secret: token });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteInbound(endpoint),
    onSuccess() {
      toastSuccess(texts.removed);
      onDeleted();
    },
  });

  async function saveSecret(newSecret: string | true | undefined): Promise<void> {
    const { secret, ...changed } = await updateInbound(endpoint, { secret: newSecret ?? null });
    onChanged(changed);
    if (secret) onNewSecret({ title: texts.secretTitle, label: texts.secret, secret });
    else toastSuccess(texts.saved);
  }

  const confirmRotation = () =>
    modals.openConfirmModal({
      title: texts.rotateTitle,
      children: <Text>{texts.rotateText}</Text>,
      labels: { confirm: texts.rotate, cancel: shellTexts.cancel },
      cancelProps: { 'data-autofocus': true },
      onConfirm: () => rotate.mutate(),
    });
  return (
    <Group gap="xs">
      <CopyButton size="sm" text={endpoint.url} label={texts.copy} what={texts.copyUrl} />
      <Button variant="default" loading={rotate.isPending} onClick={confirmRotation}>
        {texts.rotate}
      </Button>
      <Button variant="default" onClick={() => setSigning(true)}>
        {texts.changeSecret}
      </Button>
      <Button variant="default" onClick={() => setRenaming(true)}>
        {texts.rename}
      </Button>
      <DeleteButton
        loading={remove.isPending}
        question={{
          title: texts.removeTitle,
          text: texts.removeText,
          confirm: texts.remove,
          onConfirm: () => remove.mutate(),
        }}
      />
      {isSigning && (
        <SigningDialog
          title={texts.changeSecretTitle}
          confirm={texts.save}
          initialChoice={endpoint.hasSecret ? 'generate' : 'none'}
          onSave={saveSecret}
          onClose={() => setSigning(false)}
        />
      )}
      {isRenaming && (
        <RenameDialog endpoint={endpoint} onSaved={onChanged} onClose={() => setRenaming(false)} />
      )}
    </Group>
  );
}

/** Turns the endpoint and its timestamp check on and off. */
function EndpointSwitches({
  endpoint,
  onChanged,
}: {
  endpoint: InboundOut;
  onChanged: (changed: InboundOut) => void;
}) {
  const queryClient = useQueryClient();
  const update = useMutation({
    mutationFn: (patch: Pick<InboundPatch, 'isEnabled' | 'requireTimestamp'>) =>
      updateInbound(endpoint, patch),
    meta: { showsError: true },
    ...atOnce<InboundOut, Pick<InboundPatch, 'isEnabled' | 'requireTimestamp'>>(
      queryClient,
      [inboundListQuery(endpoint.formId).queryKey],
      (one, patch) => (one.id === endpoint.id ? { ...one, ...patch } : one),
    ),
    onSuccess: onChanged,
  });
  return (
    <>
      <Switch
        label={texts.on}
        checked={endpoint.isEnabled}
        disabled={update.isPending}
        onChange={({ currentTarget }) => update.mutate({ isEnabled: currentTarget.checked })}
      />
      <Switch
        label={texts.timestamp}
        description={endpoint.hasSecret ? texts.timestampHint : texts.timestampNeedsSecret}
        checked={endpoint.requireTimestamp}
        disabled={update.isPending || !endpoint.hasSecret}
        onChange={({ currentTarget }) => update.mutate({ requireTimestamp: currentTarget.checked })}
      />
      <FailureAlert error={update.error} />
      {!endpoint.isEnabled && (
        <Alert variant="outline" color="orange">
          {texts.off}
        </Alert>
      )}
    </>
  );
}
