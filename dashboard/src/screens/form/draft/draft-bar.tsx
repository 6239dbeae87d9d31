import { Button, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { ConflictDialog } from '../../../components/conflict-dialog.tsx';
import { DeletedFormDialog } from '../../../components/deleted-form-dialog.tsx';
import { UnsavedWarning } from '../../../components/unsaved-warning.tsx';
import { formTexts } from '../../../texts/form.ts';
import { publishTexts } from '../../../texts/publish.ts';
import { confirmEmpty } from './confirm-empty.tsx';
import type { FormDraft } from './use-form-draft.ts';

/**
 * The buttons that save and publish the draft, with the warning for unsaved changes and the
 * conflict dialog.
 */
export function DraftBar({ draft }: { draft: FormDraft }) {
  // Each starts from the version that the other leaves, so a second one at the same time is a
  // conflict.
  const isBusy = draft.isSaving || draft.isPublishing;
  // Even while an input has the focus. The browser would save the page.
  useHotkeys([['mod+S', () => draft.isDirty && !isBusy && draft.save()]], []);
  return (
    <Group gap="sm">
      <UnsavedWarning when={draft.isDirty} />
      <ConflictDialog
        opened={draft.hasConflict}
        onClose={draft.dismissConflict}
        onLoadTheirs={draft.loadTheirs}
        onSaveMine={draft.saveMine}
      />
      <DeletedFormDialog
        opened={draft.deleted.isAsking}
        onClose={draft.deleted.decideLater}
        onDiscard={draft.deleted.leave}
        onSaveAsNew={draft.deleted.saveAsNew}
        isSaving={draft.deleted.isSaving}
      />
      <Text c="dimmed" role="status">
        {draft.isDirty ? formTexts.unsaved : draft.isPublishable ? formTexts.unpublished : formTexts.upToDate}
      </Text>
      <Button
        variant="default"
        onClick={draft.save}
        loading={draft.isSaving}
        disabled={!draft.isDirty || isBusy}
      >
        {formTexts.save}
      </Button>
      <Button
        onClick={() => confirmEmpty(draft.form, draft.publish)}
        loading={draft.isPublishing}
        disabled={!draft.isPublishable || isBusy}
      >
        {publishTexts.publish}
      </Button>
    </Group>
  );
}
