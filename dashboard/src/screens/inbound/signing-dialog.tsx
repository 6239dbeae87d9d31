import { Button, Modal, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { secretOf, SigningChoice, type Signing } from './signing-choice.tsx';

/** Asks whether requests have to be signed, for `save`. What was chosen stays when it is refused. */
export function SigningDialog({
  title,
  confirm,
  first,
  save,
  onClose,
}: {
  title: string;
  confirm: string;
  first: Signing['choice'];
  save: (secret: string | true | undefined) => Promise<unknown>;
  onClose: () => void;
}) {
  const [signing, setSigning] = useState<Signing>({ choice: first, own: '' });
  const saving = useMutation({
    mutationFn: () => save(secretOf(signing)),
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
          <SigningChoice value={signing} error={formErrors(saving.error)['secret']} onChange={setSigning} />
          <Button type="submit" loading={saving.isPending}>
            {confirm}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
