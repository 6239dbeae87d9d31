import { Alert, Box, Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { FormOut, InboundOut, InboundPatch } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeInbound, deleteInbound, inboundListQuery, rotateToken } from '../../api/inbound.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Facts } from '../../components/facts.tsx';
import { exactTime } from '../../components/moments.ts';
import { toastDone } from '../../components/toast.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';
import { shellTexts } from '../../texts/shell.ts';
import { curlCommands, sampleBody } from './curl.ts';
import { InboundRequests } from './inbound-requests.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { SigningDialog } from './signing-dialog.tsx';

/** What the product tells only once. */
export interface Once {
  title: string;
  label: string;
  secret: string;
}

/** One inbound endpoint, with all that can be done about it. */
export function Endpoint({
  form,
  endpoint,
  onTold,
  onDeleted,
}: {
  form: FormOut;
  endpoint: InboundOut;
  /** Gets what the product tells only now. */
  onTold: (once: Once) => void;
  onDeleted?: () => void;
}) {
  const queryClient = useQueryClient();
  const { queryKey } = inboundListQuery(form.id);
  const [isSigning, setSigning] = useState(false);
  const [isRenaming, setRenaming] = useState(false);
  const show = (changed: InboundOut) =>
    queryClient.setQueryData(queryKey, (all = []) =>
      all.map((each) => (each.id === changed.id ? changed : each)),
    );
  const turn = useMutation({
    mutationFn: (patch: Pick<InboundPatch, 'isEnabled' | 'requireTimestamp'>) =>
      changeInbound(endpoint, patch),
    meta: { showsError: true },
    onSuccess: show,
  });
  const rotate = useMutation({
    mutationFn: () => rotateToken(endpoint),
    onSuccess({ token, ...changed }) {
      show(changed);
      if (token) onTold({ title: texts.tokenRotatedTitle, label: texts.token, secret: token });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteInbound(endpoint),
    onSuccess() {
      toastDone(texts.removed);
      onDeleted?.();
      queryClient.setQueryData(queryKey, (all = []) => all.filter(({ id }) => id !== endpoint.id));
    },
  });

  async function sign(wanted: string | true | undefined): Promise<void> {
    const { secret, ...changed } = await changeInbound(endpoint, { secret: wanted ?? null });
    show(changed);
    if (secret) onTold({ title: texts.secretTitle, label: texts.secret, secret });
    else toastDone(texts.saved);
  }

  const curl = curlCommands(endpoint.url, sampleBody(form.fields, endpoint.fieldMapping));
  return (
    <Stack gap="lg">
      <Facts
        title={texts.about}
        rows={[
          ['name', texts.name, endpoint.name],
          ['url', texts.url, endpoint.url],
          ['token', texts.tokenEnds, endpoint.tokenLast4],
          ['signature', texts.signature, endpoint.hasSecret ? texts.signed : texts.unsigned],
          ['created', texts.created, exactTime(endpoint.createdAt)],
        ]}
      />
      <Group gap="xs">
        <CopyButton size="sm" text={endpoint.url} what={texts.copyUrl} />
        <Button
          variant="default"
          loading={rotate.isPending}
          onClick={() =>
            modals.openConfirmModal({
              title: texts.rotateTitle,
              children: <Text>{texts.rotateText}</Text>,
              labels: { confirm: texts.rotate, cancel: shellTexts.cancel },
              cancelProps: { 'data-autofocus': true },
              onConfirm: () => rotate.mutate(),
            })
          }
        >
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
      </Group>
      <Switch
        label={texts.on}
        checked={endpoint.isEnabled}
        disabled={turn.isPending}
        onChange={({ currentTarget }) => turn.mutate({ isEnabled: currentTarget.checked })}
      />
      <Switch
        label={texts.timestamp}
        description={endpoint.hasSecret ? texts.timestampHint : texts.timestampNeedsSecret}
        checked={endpoint.requireTimestamp}
        disabled={turn.isPending || !endpoint.hasSecret}
        onChange={({ currentTarget }) => turn.mutate({ requireTimestamp: currentTarget.checked })}
      />
      <FailureAlert error={turn.error} />
      {!endpoint.isEnabled && (
        <Alert variant="outline" color="orange">
          {texts.off}
        </Alert>
      )}
      <MappingEditor form={form} endpoint={endpoint} onSaved={show} />
      <Box component="section" aria-label={texts.curl.title}>
        <Title order={3} size="h4" mb="xs">
          {texts.curl.title}
        </Title>
        <Stack gap="sm">
          <Text>{texts.curl.text}</Text>
          <CodeBlock title={texts.curl.plain} code={curl.plain} />
          {endpoint.requireTimestamp ? (
            <CodeBlock title={texts.curl.timestamped} code={curl.timestamped} />
          ) : (
            <CodeBlock title={texts.curl.signed} code={curl.signed} />
          )}
        </Stack>
      </Box>
      <InboundRequests endpoint={endpoint} />
      {isSigning && (
        <SigningDialog
          title={texts.changeSecretTitle}
          confirm={texts.save}
          first={endpoint.hasSecret ? 'generate' : 'none'}
          save={sign}
          onClose={() => setSigning(false)}
        />
      )}
      {isRenaming && <RenameDialog endpoint={endpoint} onSaved={show} onClose={() => setRenaming(false)} />}
    </Stack>
  );
}
