import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';
import { secretOf, SigningChoice, type Signing } from './signing-choice.tsx';

/** Asks whether requests have to be signed, and for the name of a new endpoint, for `save`. What was chosen stays when it is refused. */
export function SigningDialog({
  title,
  confirm,
  first,
  name: firstName,
  save,
  onClose,
}: {
  title: string;
  confirm: string;
  first: Signing['choice'];
  /** Of a new endpoint; absent: the name isn't asked for. */
  name?: string;
  save: (secret: string | true | undefined, name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [signing, setSigning] = useState<Signing>({ choice: first, own: '' });
  const [name, setName] = useState(firstName ?? '');
  const saving = useMutation({
    mutationFn: () => save(secretOf(signing), name),
    meta: { showsError: true },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack>
          <FailureAlert error={saving.error} />
          {firstName !== undefined && (
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
          )}
          <SigningChoice value={signing} error={formErrors(saving.error)['secret']} onChange={setSigning} />
          <Button type="submit" loading={saving.isPending}>
            {confirm}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
