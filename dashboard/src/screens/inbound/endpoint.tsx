import { Alert, Box, Button, Group, Stack, Switch, Text, Title } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { FormOut, InboundOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeInbound, deleteInbound, inboundQuery, rotateToken } from '../../api/inbound.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { DeleteButton } from '../../components/delete-button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { exactTime } from '../../components/moments.ts';
import { toastDone } from '../../components/toast.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';
import { shellTexts } from '../../texts/shell.ts';
import { curlCommands, sampleBody } from './curl.ts';
import { InboundRequests } from './inbound-requests.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { SigningDialog } from './signing-dialog.tsx';

/** What the product tells only once. */
export interface Once {
  title: string;
  label: string;
  secret: string;
}

/** The address of the form for other systems, with all that can be done about it. */
export function Endpoint({
  form,
  endpoint,
  onTold,
}: {
  form: FormOut;
  endpoint: InboundOut;
  /** Gets what the product tells only now. */
  onTold: (once: Once) => void;
}) {
  const queryClient = useQueryClient();
  const { queryKey } = inboundQuery(form.id);
  const [isSigning, setSigning] = useState(false);
  const show = (changed: InboundOut | null) => queryClient.setQueryData(queryKey, changed);
  const turn = useMutation({
    mutationFn: (isEnabled: boolean) => changeInbound(form.id, { isEnabled }),
    onSuccess: show,
  });
  const rotate = useMutation({
    mutationFn: () => rotateToken(form.id),
    onSuccess({ token, ...changed }) {
      show(changed);
      if (token) onTold({ title: texts.tokenRotatedTitle, label: texts.token, secret: token });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteInbound(form.id),
    onSuccess() {
      toastDone(texts.removed);
      show(null);
    },
  });

  async function sign(wanted: string | true | undefined): Promise<void> {
    const { secret, ...changed } = await changeInbound(form.id, { secret: wanted ?? null });
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
        onChange={({ currentTarget }) => turn.mutate(currentTarget.checked)}
      />
      {!endpoint.isEnabled && (
        <Alert variant="outline" color="orange">
          {texts.off}
        </Alert>
      )}
      <MappingEditor form={form} mapping={endpoint.fieldMapping} onSaved={show} />
      <Box component="section" aria-label={texts.curl.title}>
        <Title order={3} size="h4" mb="xs">
          {texts.curl.title}
        </Title>
        <Stack gap="sm">
          <Text>{texts.curl.text}</Text>
          <CodeBlock title={texts.curl.plain} code={curl.plain} />
          <CodeBlock title={texts.curl.signed} code={curl.signed} />
        </Stack>
      </Box>
      <InboundRequests formId={form.id} />
      {isSigning && (
        <SigningDialog
          title={texts.changeSecretTitle}
          confirm={texts.save}
          first={endpoint.hasSecret ? 'generate' : 'none'}
          save={sign}
          onClose={() => setSigning(false)}
        />
      )}
    </Stack>
  );
}
