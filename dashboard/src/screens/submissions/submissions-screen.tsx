import { Box, Button, Checkbox, Group, Text, VisuallyHidden } from '@mantine/core';
import { valueFields, type FormField, type SubmissionOut } from '@svcforms/contracts';
import { IconDownload, IconInbox, IconShieldCheck } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveList } from '../../api/live-list.ts';
import { exportUrl, submissionList } from '../../api/submissions.ts';
import { useContinuedSearch } from '../../api/use-continued-search.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { submissionsTexts as texts } from '../../texts/submissions.ts';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { QuarantineBar } from './quarantine-bar.tsx';
import { SubmissionFilters } from './submission-filters.tsx';
import { filtersOf, present, type SubmissionSearch } from './submission-search.ts';
import { useNewRowCount } from './use-new-row-count.ts';
import { fieldLabel, valueText } from './value-text.ts';

/** The number of columns until the user selects others. */
const COLUMNS_AT_FIRST = 4;

export function SubmissionsScreen() {
  const form = useSavedForm();
  const search = useSearch({ from: '/shell/forms/$formId/submissions' });
  const navigate = useNavigate();
  const filters = filtersOf(search);
  const { list, rows } = useLiveList(submissionList(form.id, filters));
  const isSearching = useContinuedSearch(list, rows.length);
  const isRead = list.isSuccess && !list.isPlaceholderData;
  const newRows = useNewRowCount(rows, isRead ? JSON.stringify(filters) : undefined);
  const fields = shownFields(valueFields(form.fields), search.columns);
  const { status, ...otherFilters } = filters;
  const isQuarantine = status === 'quarantined';
  const isFiltered = Object.keys(otherFilters).length > 0;
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const selection = {
    has: (id: string) => selectedIds.has(id),
    toggle: (id: string) => setSelectedIds(toggled(selectedIds, id)),
  };
  const empty = isQuarantine ? texts.quarantine.empty : texts.empty;

  const change = (changes: { [K in keyof SubmissionSearch]?: string }) =>
    void navigate({
      to: '/forms/$formId/submissions',
      params: { formId: form.id },
      search: present({ ...search, ...changes } as SubmissionSearch),
      replace: true,
    });

  return (
    <Page
      title={texts.title}
      of={form.name}
      actions={
        <>
          <ColumnChooser
            fields={valueFields(form.fields)}
            chosen={fields.map(({ name }) => name)}
            onChange={(chosen) => change({ columns: chosen.join() })}
          />
          <ExportLink href={exportUrl(form.id, filters, 'csv')} label={texts.exportCsv} />
          <ExportLink href={exportUrl(form.id, filters, 'ndjson')} label={texts.exportNdjson} />
        </>
      }
    >
      <SubmissionFilters search={search} onChange={change} />
      <VisuallyHidden role="status">{newRows > 0 && texts.arrived(newRows)}</VisuallyHidden>
      {(list.isPending || isSearching) && <Loading />}
      {list.isError && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.isSuccess && rows.length === 0 && !isSearching && (
        <EmptyState
          icon={isQuarantine ? IconShieldCheck : IconInbox}
          text={isFiltered ? texts.nothingFound : empty}
        />
      )}
      {isQuarantine && rows.length > 0 && (
        <>
          <Text c="dimmed">{texts.quarantine.hint}</Text>
          <QuarantineBar rows={rows} ids={selectedIds} onSelect={setSelectedIds} />
        </>
      )}
      {rows.length > 0 && (
        <Box role="region" aria-label={texts.table} tabIndex={0} style={{ overflowX: 'auto' }}>
          <DataTable
            name={texts.title}
            columns={isQuarantine ? quarantineColumns(fields, selection) : columnsOf(fields)}
            rows={rows}
            keyOf={({ id }) => id}
          />
        </Box>
      )}
      {rows.length > 0 && <MoreButton query={list} />}
    </Page>
  );
}

function ExportLink({ href, label }: { href: string; label: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {label}
    </Button>
  );
}

/** The fields in the URL, in the form's order, or the first few fields. */
function shownFields(fields: readonly FormField[], names: string | undefined): readonly FormField[] {
  if (names === undefined) return fields.slice(0, COLUMNS_AT_FIRST);
  const selected = new Set(names.split(','));
  return fields.filter(({ name }) => selected.has(name));
}

function columnsOf(fields: readonly FormField[]): Column<SubmissionOut>[] {
  return [
    {
      label: texts.columns.received,
      cell: ({ id, formId, createdAt }) => (
        <TextLink to="/forms/$formId/submissions/$submissionId" params={{ formId, submissionId: id }}>
          <Time at={createdAt} />
        </TextLink>
      ),
    },
    ...fields.map((field) => ({
      label: fieldLabel(field),
      cell: ({ data }: SubmissionOut) => (
        <Text span lineClamp={2} miw={120} maw={320}>
          {valueText(data[field.name], field)}
        </Text>
      ),
    })),
    { label: texts.columns.via, cell: ({ metadata }) => texts.vias[metadata.submittedVia] },
  ];
}

/** The usual columns, with a selection, and the reason after it. */
function quarantineColumns(
  fields: readonly FormField[],
  selection: { has: (id: string) => boolean; toggle: (id: string) => void },
): Column<SubmissionOut>[] {
  const [received, ...rest] = columnsOf(fields);
  return [
    {
      label: texts.columns.received,
      cell: (submission) => (
        <Group gap="xs" wrap="nowrap">
          <Checkbox
            aria-label={texts.quarantine.select(submission.id)}
            checked={selection.has(submission.id)}
            onChange={() => selection.toggle(submission.id)}
          />
          {received?.cell(submission)}
        </Group>
      ),
    },
    {
      label: texts.quarantine.reason,
      cell: ({ quarantineReason }) => quarantineReason && texts.quarantine.reasons[quarantineReason],
    },
    ...rest.slice(0, -1),
  ];
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}
