import { Button, Checkbox, Group, Text } from '@mantine/core';
import type { SubmissionOut } from '@svcforms/contracts';
import { useHasScope } from '../../api/session.ts';
import { confirmDelete } from '../../components/delete-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { submissionsTexts } from '../../texts/submissions.ts';
import { useDelete, useRelease } from './use-quarantine.ts';

const texts = submissionsTexts.quarantine;

/** Selects all loaded submissions in quarantine, and releases or deletes the selected ones. */
export function QuarantineBar({
  rows,
  ids,
  onSelect,
}: {
  rows: readonly SubmissionOut[];
  ids: ReadonlySet<string>;
  onSelect: (ids: ReadonlySet<string>) => void;
}) {
  const release = useRelease();
  const remove = useDelete();
  const mayChange = useHasScope('submissions:write');
  const selected = rows.filter(({ id }) => ids.has(id));
  const hasAll = selected.length > 0 && selected.length === rows.length;
  const done = { onSuccess: () => onSelect(new Set()) };
  if (!mayChange) return null;
  return (
    <>
      <FailureAlert error={release.error ?? remove.error} />
      {/* The height stays, so that the table doesn't move. */}
      <Group mih={36}>
        <Checkbox
          label={texts.selectAll}
          checked={hasAll}
          indeterminate={selected.length > 0 && !hasAll}
          onChange={() => onSelect(new Set(hasAll ? [] : rows.map(({ id }) => id)))}
        />
        {selected.length > 0 && (
          <>
            <Text role="status">{texts.selected(selected.length)}</Text>
            <Button size="xs" loading={release.isPending} onClick={() => release.mutate(selected, done)}>
              {texts.releaseSelected}
            </Button>
            <Button
              size="xs"
              variant="default"
              c="var(--mantine-color-error)"
              loading={remove.isPending}
              onClick={() =>
                confirmDelete({
                  title: texts.deleteTitle(selected.length),
                  text: texts.deleteText,
                  confirm: submissionsTexts.detail.remove,
                  onConfirm: () => remove.mutate(selected, done),
                })
              }
            >
              {texts.deleteSelected}
            </Button>
          </>
        )}
      </Group>
    </>
  );
}
