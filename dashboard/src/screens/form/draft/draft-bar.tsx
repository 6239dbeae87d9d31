import { Button, Group, Text } from '@mantine/core';
import { ConflictDialog } from '../../../components/conflict-dialog.tsx';
import { UnsavedWarning } from '../../../components/unsaved-warning.tsx';
import { formTexts } from '../../../texts/form.ts';
import type { FormDraft } from './use-form-draft.ts';

/** The save button of the draft, with the warning for unsaved changes and the conflict dialog. */
export function DraftBar({ draft }: { draft: FormDraft }) {
  return (
    <Group gap="sm">
      <UnsavedWarning when={draft.isDirty} />
      <ConflictDialog
        opened={draft.hasConflict}
        onClose={draft.dismissConflict}
        onLoadTheirs={draft.loadTheirs}
        onSaveMine={draft.saveMine}
      />
      <Text c="dimmed" role="status">
        {draft.isDirty ? formTexts.unsaved : formTexts.upToDate}
      </Text>
      <Button onClick={draft.save} loading={draft.isSaving} disabled={!draft.isDirty}>
        {formTexts.save}
      </Button>
    </Group>
  );
}
