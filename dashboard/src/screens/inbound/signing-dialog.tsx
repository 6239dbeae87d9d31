import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { NameInput } from './name-input.tsx';
import { secretOf, SigningChoice, type Signing } from './signing-choice.tsx';

/** Chooses the request signing of an inbound endpoint, and the name of a new one. */
export function SigningDialog({
  title,
  confirm,
  initialChoice,
  initialName,
  onSave,
  onClose,
}: {
  title: string;
  confirm: string;
  initialChoice: Signing['choice'];
  /** Only for a new endpoint. Without it, the dialog has no input for the name. */
  initialName?: string;
  onSave: (secret: string | true | undefined, name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [signing, setSigning] = useState<Signing>({ choice: initialChoice, own: '' });
  const [name, setName] = useState(initialName ?? '');
  const save = useMutation({
    mutationFn: () => onSave(secretOf(signing), name),
    meta: { showsError: true },
    onSuccess: onClose,
  });
  const errors = formErrors(save.error);
  return (
    <FormDialog
      title={title}
      confirm={confirm}
      error={save.error}
      inputs={['name', 'secret']}
      hasChanges={signing.choice !== initialChoice || signing.own !== '' || name !== (initialName ?? '')}
      isSaving={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {initialName !== undefined && <NameInput value={name} error={errors['name']} onChange={setName} />}
      <SigningChoice value={signing} error={errors['secret']} onChange={setSigning} />
    </FormDialog>
  );
}
