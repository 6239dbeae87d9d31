import type { InboundOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { updateInbound } from '../../api/inbound.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';
import { NameInput } from './name-input.tsx';

/** Renames an inbound endpoint. */
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
  const save = useMutation({
    mutationFn: () => updateInbound(endpoint, { name }),
    meta: { showsError: true },
    onSuccess(changed) {
      toastSuccess(texts.saved);
      onSaved(changed);
      onClose();
    },
  });
  return (
    <FormDialog
      title={texts.renameTitle}
      confirm={texts.save}
      error={save.error}
      inputs={['name']}
      hasChanges={name !== endpoint.name}
      isSaving={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <NameInput value={name} error={formErrors(save.error)['name']} onChange={setName} />
    </FormDialog>
  );
}
