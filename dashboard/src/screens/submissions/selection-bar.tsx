import { Button, Checkbox, Group, Text } from '@mantine/core';
import type { SubmissionOut } from '@svcforms/contracts';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useHasScope } from '../../api/session.ts';
import { atOnce } from '../../api/at-once.ts';
import {
  deleteSubmissions,
  exportUrl,
  removeCachedSubmission,
  submissionListsKey,
  refreshTotals,
} from '../../api/submissions.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { submissionsTexts } from '../../texts/submissions.ts';
import { useRelease } from './use-release.ts';

const texts = submissionsTexts.selection;
/** An export by id takes no more. docs/reference/forms.md#export-submissions */
const MAX_EXPORTED = 200;

/** Selects all loaded submissions, and releases, exports or deletes the selected ones. */
export function SelectionBar({
  formId,
  rows,
  ids,
  total,
  isQuarantine,
  onSelect,
}: {
  formId: string;
  rows: readonly SubmissionOut[];
  ids: ReadonlySet<string>;
  /** How many there are, in words. */
  total: string;
  isQuarantine: boolean;
  onSelect: (ids: ReadonlySet<string>) => void;
}) {
  const mayChange = useHasScope('submissions:write');
  const release = useRelease();
  const queryClient = useQueryClient();
  const selected = rows.filter(({ id }) => ids.has(id));
  const hasAll = selected.length > 0 && selected.length === rows.length;
  const removeAtOnce = atOnce<SubmissionOut, readonly SubmissionOut[]>(
    queryClient,
    [submissionListsKey(formId)],
    (one, removed) => (removed.some(({ id }) => id === one.id) ? undefined : one),
  );
  const deleted = useRef(new Set<SubmissionOut>());
  const remove = useMutation({
    mutationFn: (submissions: readonly SubmissionOut[]) =>
      deleteSubmissions(submissions, (submission) => {
        deleted.current.add(submission);
        removeCachedSubmission(queryClient, submission);
      }),
    ...removeAtOnce,
    async onMutate(submissions) {
      deleted.current.clear();
      const before = await removeAtOnce.onMutate(submissions);
      onSelect(new Set());
      return before;
    },
    onError(error, submissions, before) {
      removeAtOnce.onError(error, submissions, before);
      // The rollback also restored the submissions that were deleted.
      for (const submission of deleted.current) removeCachedSubmission(queryClient, submission);
      // For another try.
      const left = submissions.filter((submission) => !deleted.current.has(submission));
      onSelect(new Set(left.map(({ id }) => id)));
    },
    onSuccess: (_, submissions) => toastSuccess(texts.removed(submissions.length)),
    async onSettled() {
      await removeAtOnce.onSettled();
      await refreshTotals(queryClient);
    },
  });
  const tooMany = selected.length > MAX_EXPORTED;
  const urlOf = (format: 'csv' | 'ndjson') =>
    exportUrl(
      formId,
      { ids: selected.map(({ id }) => id).join(), ...(isQuarantine && { status: 'quarantined' }) },
      format,
    );
  return (
    // The height stays, so that the table doesn't move.
    <Group mih={36} gap="sm">
      <Checkbox
        label={texts.all}
        checked={hasAll}
        indeterminate={selected.length > 0 && !hasAll}
        onChange={() => onSelect(new Set(hasAll ? [] : rows.map(({ id }) => id)))}
      />
      <Text c="dimmed" role="status">
        {selected.length > 0 ? texts.selected(selected.length) : total}
      </Text>
      {selected.length > 0 && (
        <>
          {mayChange && isQuarantine && (
            <Button
              size="xs"
              loading={release.isPending}
              onClick={() => release.mutate(selected, { onSuccess: () => onSelect(new Set()) })}
            >
              {submissionsTexts.quarantine.releaseSelected}
            </Button>
          )}
          {!tooMany &&
            (['csv', 'ndjson'] as const).map((format) => (
              <Button
                key={format}
                component="a"
                size="xs"
                href={urlOf(format)}
                download
                variant="default"
                leftSection={<IconDownload size={14} aria-hidden />}
              >
                {texts.export[format]}
              </Button>
            ))}
          {tooMany && <Text c="dimmed">{texts.tooMany(MAX_EXPORTED)}</Text>}
          {mayChange && (
            <DeleteButton
              size="xs"
              loading={remove.isPending}
              question={{
                title: texts.removeTitle(selected.length),
                text: submissionsTexts.detail.removeText,
                confirm: texts.remove,
                onConfirm: () => remove.mutate(selected),
              }}
            />
          )}
        </>
      )}
    </Group>
  );
}
