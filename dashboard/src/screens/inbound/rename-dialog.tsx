import { Button, Modal, Stack, TextInput } from '@mantine/core';
import type { InboundOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { changeInbound } from '../../api/inbound.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastDone } from '../../components/toast.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';

/** Asks for another name of an inbound endpoint. */
export function RenameDialog({
  endpoint,
  onSaved,
  onClose,
}: {
  endpoint: InboundOut;
  onSaved: (changed: InboundOut) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(endpoint.name);
  const saving = useMutation({
    mutationFn: () => changeInbound(endpoint, { name }),
    meta: { showsError: true },
    onSuccess(changed) {
      toastDone(texts.saved);
      onSaved(changed);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={texts.renameTitle} closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack>
          <FailureAlert error={saving.error} />
          <TextInput
            label={texts.name}
            description={texts.nameHint}
            required
            maxLength={100}
            autoComplete="off"
            value={name}
            error={formErrors(saving.error)['name']}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button type="submit" loading={saving.isPending}>
            {texts.save}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
