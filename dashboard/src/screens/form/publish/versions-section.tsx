import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { FormVersionOut } from '@svcforms/contracts';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { capitalized } from '../../../api/api-error.ts';
import { etagOf, restoreVersion, versionQuery, versionsQuery } from '../../../api/forms.ts';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { Loading } from '../../../components/loading.tsx';
import { MoreButton } from '../../../components/more-button.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { Time } from '../../../components/time.tsx';
import { toastSuccess } from '../../../components/toast.tsx';
import { OpenedModal } from '../../../components/opened-modal.tsx';
import { publishTexts } from '../../../texts/publish.ts';
import { shellTexts } from '../../../texts/shell.ts';
import { useUserName } from '../../../api/use-user-name.ts';
import { Section } from '../../../components/section.tsx';
import { useFormCache } from '../layout/use-form-cache.ts';
import { useSavedDraft, useSavedForm } from '../layout/use-saved-form.ts';
import { changesBetween } from '../draft/changes.ts';
import { ChangesList } from './changes-list.tsx';

const texts = publishTexts.versions;

/** What was published, with ways to look at a version and to go back to it. */
export function VersionsSection() {
  const form = useSavedForm();
  const draft = useSavedDraft();
  const cache = useFormCache();
  const nameOf = useUserName();
  const [compared, setCompared] = useState<number | null>(null);
  const list = useInfiniteQuery(versionsQuery(form.id));
  const versions = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const restore = useMutation({
    mutationFn: ({ version, etag }: { version: number; etag: string }) =>
      restoreVersion(form.id, version, etag),
    meta: { showsError: true },
    onSuccess(restored, { version }) {
      toastSuccess(texts.restored(version));
      return cache.setDraft(restored);
    },
    onError: () => cache.reload(form.id),
  });
  const confirmRestore = (version: number) =>
    modals.openConfirmModal({
      title: texts.restoreTitle(version),
      children: <Text>{texts.restoreText}</Text>,
      labels: { confirm: texts.restore, cancel: shellTexts.cancel },
      onConfirm: () => restore.mutate({ version, etag: etagOf(draft) }),
    });
  const columns: readonly Column<FormVersionOut>[] = [
    {
      label: texts.version,
      cell: ({ version, isCurrent }) => (
        <Group gap="xs">
          {version}
          {isCurrent && <StatusBadge tone="good">{texts.current}</StatusBadge>}
        </Group>
      ),
    },
    { label: texts.publishedAt, cell: ({ publishedAt }) => <Time at={publishedAt} /> },
    {
      label: texts.publishedBy,
      cell: ({ publishedBy }) => (publishedBy === null ? texts.unknown : capitalized(nameOf(publishedBy))),
    },
    {
      label: texts.actions,
      cell: ({ version, isCurrent }) =>
        !isCurrent && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              aria-label={texts.compareNamed(version)}
              onClick={() => setCompared(version)}
            >
              {texts.compare}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={texts.restoreNamed(version)}
              loading={restore.isPending && restore.variables.version === version}
              onClick={() => confirmRestore(version)}
            >
              {texts.restore}
            </Button>
          </Group>
        ),
    },
  ];
  return (
    <Section title={texts.title}>
      {list.isPending && <Loading />}
      {list.isError && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && versions.length === 0 && <Text>{texts.none}</Text>}
      <FailureAlert error={restore.error} conflict={texts.conflict} comesIntoView />
      {versions.length > 0 && (
        <DataTable
          name={texts.title}
          columns={columns}
          rows={versions}
          keyOf={({ version }) => String(version)}
        />
      )}
      <MoreButton query={list} />
      {compared !== null && <VersionDialog version={compared} onClose={() => setCompared(null)} />}
    </Section>
  );
}

/** What has changed from a version to the published one. */
function VersionDialog({ version, onClose }: { version: number; onClose: () => void }) {
  const form = useSavedForm();
  const older = useQuery(versionQuery(form.id, version));
  const changes = older.data && changesBetween(older.data, form);
  const title = texts.compareTitle(version, form.version);
  return (
    <OpenedModal onClose={onClose} title={title} size="lg">
      {older.isPending && <Loading />}
      {older.isError && <FailureAlert error={older.error} retry={older.refetch} />}
      {changes?.length === 0 && <Text>{texts.compareSame}</Text>}
      {changes && changes.length > 0 && (
        <ChangesList changes={changes} fields={[...form.fields, ...older.data.fields]} label={title} />
      )}
    </OpenedModal>
  );
}
