import { Box, Button, Checkbox, Group, Text, VisuallyHidden } from '@mantine/core';
import { valueFields, type FormField, type SubmissionOut } from '@svcforms/contracts';
import { IconDownload, IconInbox, IconShieldCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { fieldLabel } from '../../components/field-labels.ts';
import { statsOfFormsQuery } from '../../api/forms.ts';
import { useHasScope } from '../../api/session.ts';
import { useLiveList } from '../../api/live-list.ts';
import { exportUrl, hasQuarantinedQuery, refreshTotals, submissionList } from '../../api/submissions.ts';
import { useContinuedSearch } from '../../api/use-continued-search.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { ButtonLink, TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Outdated } from '../../components/outdated.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { toggled } from '../../components/toggled.ts';
import { isBackwards } from '../../components/days.ts';
import { shellTexts } from '../../texts/shell.ts';
import { submissionsTexts as texts } from '../../texts/submissions.ts';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { nextSorting, sortedBy, type FieldSorting } from './field-sorting.ts';
import { ShownSubmissions } from './shown-submissions.ts';
import { SelectionBar } from './selection-bar.tsx';
import { SubmissionFilters } from './submission-filters.tsx';
import { filtersOf, present, type SubmissionChanges, type SubmissionSearch } from './submission-search.ts';
import { useNewRowCount } from './use-new-row-count.ts';
import { valueText } from '../../components/value-text.ts';

/** The number of columns until the user selects others. */
const COLUMNS_AT_FIRST = 4;
/**
 * Stands for no columns in the URL, where an empty parameter means the first few. Not the name of a
 * field.
 */
const NO_COLUMNS = '-';

export function SubmissionsScreen() {
  const form = useSavedForm();
  const search = useSearch({ from: '/shell/forms/$formId/submissions' });
  const navigate = useNavigate();
  const filters = filtersOf(search);
  const hasPeriod = !isBackwards(search.from, search.to);
  const { list, rows: loaded } = useLiveList(submissionList(form.id, filters, search.sort), hasPeriod);
  const [sorting, setSorting] = useState<FieldSorting>();
  const rows = sortedBy(loaded, sorting, form.fields);
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const stats = useQuery({ ...statsOfFormsQuery([form.id], today), enabled: useHasScope('forms:read') });
  const total = stats.data?.[0]?.totalSubmissions;
  const isSearching = useContinuedSearch(list, rows.length);
  const isRead = list.isSuccess && !list.isPlaceholderData;
  const newRows = useNewRowCount(rows, isRead ? JSON.stringify(filters) : undefined);
  const queryClient = useQueryClient();
  useEffect(() => {
    if (newRows > 0) void refreshTotals(queryClient);
  }, [queryClient, newRows]);
  const fields = shownFields(valueFields(form.fields), search.columns);
  const { status, ...otherFilters } = filters;
  const isQuarantine = status === 'quarantined';
  const isFiltered = Object.keys(otherFilters).length > 0;
  const selection = {
    has: (id: string) => selectedIds.has(id),
    toggle: (id: string) => setSelectedIds(toggled(selectedIds, id)),
  };

  const change = (changes: SubmissionChanges) =>
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
            formId={form.id}
            onChange={(chosen) => change({ columns: chosen.join() || NO_COLUMNS })}
          />
          {hasPeriod && (
            <>
              <ExportLink href={exportUrl(form.id, filters, 'csv')} label={texts.exportCsv} />
              <ExportLink href={exportUrl(form.id, filters, 'ndjson')} label={texts.exportNdjson} />
            </>
          )}
        </>
      }
    >
      <SubmissionFilters
        search={search}
        fields={valueFields(form.fields)}
        sorting={sorting}
        onChange={change}
        onSort={setSorting}
      />
      <VisuallyHidden role="status">{newRows > 0 && texts.arrived(newRows)}</VisuallyHidden>
      {((list.isPending && hasPeriod) || isSearching) && <Loading shape="rows" />}
      {list.isError && <FailureAlert error={list.error} retry={list.refetch} />}
      {(list.isSuccess || !hasPeriod) && rows.length === 0 && !isSearching && (
        <EmptySubmissions formId={form.id} {...{ isFiltered, isQuarantine }} />
      )}
      <SortedBy label={sorting?.label} hasMore={list.hasNextPage} />
      {isQuarantine && rows.length > 0 && <Text c="dimmed">{texts.quarantine.hint}</Text>}
      {rows.length > 0 && (
        <Outdated when={list.isPlaceholderData}>
          <SelectionBar
            formId={form.id}
            rows={rows}
            ids={selectedIds}
            isQuarantine={isQuarantine}
            total={
              list.isPlaceholderData
                ? shellTexts.loading
                : isQuarantine
                  ? texts.quarantine.total(rows.length, list.hasNextPage)
                  : isFiltered || total === undefined
                    ? texts.matching(rows.length, list.hasNextPage)
                    : texts.total(total)
            }
            onSelect={setSelectedIds}
          />
          <Box role="region" aria-label={texts.table} tabIndex={0} style={{ overflowX: 'auto' }}>
            <DataTable
              name={texts.title}
              columns={columnsOf(fields, selection, isQuarantine, { sorting, onSort: setSorting })}
              rows={rows}
              keyOf={({ id }) => id}
            />
          </Box>
          <MoreButton query={list} />
        </Outdated>
      )}
      <ShownSubmissions value={rows.map(({ id }) => id)}>
        <Outlet />
      </ShownSubmissions>
    </Page>
  );
}

/** Announces the order, and tells everybody if it leaves out submissions that aren't loaded. */
function SortedBy({ label, hasMore }: { label: string | undefined; hasMore: boolean }) {
  const text = label !== undefined && texts.sortedRows(label);
  return hasMore && text ? (
    <Text c="dimmed" role="status">
      {text} {texts.loadMore}
    </Text>
  ) : (
    <VisuallyHidden role="status">{text}</VisuallyHidden>
  );
}

/** Replaces an empty table, and links to the quarantine if there are submissions in it. */
function EmptySubmissions({
  formId,
  isFiltered,
  isQuarantine,
}: {
  formId: string;
  isFiltered: boolean;
  isQuarantine: boolean;
}) {
  const enabled = !isFiltered && !isQuarantine;
  const { data: hasQuarantined } = useQuery({ ...hasQuarantinedQuery(formId), enabled });
  if (isFiltered) return <EmptyState icon={IconInbox} text={texts.nothingFound} />;
  if (isQuarantine) return <EmptyState icon={IconShieldCheck} text={texts.quarantine.empty} />;
  if (!hasQuarantined) return <EmptyState icon={IconInbox} text={texts.empty} />;
  return (
    <EmptyState icon={IconShieldCheck} text={texts.quarantine.all}>
      <ButtonLink
        variant="default"
        from="/forms/$formId/submissions"
        to="."
        search={(search) => ({ ...search, list: 'quarantine' as const })}
      >
        {texts.quarantine.view}
      </ButtonLink>
    </EmptyState>
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

function columnsOf(
  fields: readonly FormField[],
  selection: { has: (id: string) => boolean; toggle: (id: string) => void },
  isQuarantine: boolean,
  {
    sorting,
    onSort,
  }: { sorting: FieldSorting | undefined; onSort: (sorting: FieldSorting | undefined) => void },
): Column<SubmissionOut>[] {
  return [
    {
      label: texts.columns.received,
      cell: ({ id, formId, createdAt }) => (
        <Group gap="xs" wrap="nowrap">
          <Checkbox
            aria-label={texts.select(id)}
            checked={selection.has(id)}
            onChange={() => selection.toggle(id)}
          />
          <TextLink
            to="/forms/$formId/submissions/$submissionId"
            params={{ formId, submissionId: id }}
            search={true}
          >
            <Time at={createdAt} />
          </TextLink>
        </Group>
      ),
    },
    ...(isQuarantine ? [REASON] : []),
    ...fields.map((field) => ({
      label: fieldLabel(field),
      sort: {
        name: texts.sortBy(fieldLabel(field)),
        direction: sorting?.name === field.name ? sorting.direction : undefined,
        onSort: () => onSort(nextSorting(sorting, field)),
      },
      cell: ({ data }: SubmissionOut) => {
        const text = valueText(data[field.name], field);
        // Phones leave out empty cells.
        return (
          text && (
            <Text
              span
              lineClamp={2}
              miw={120}
              maw={320}
              // The other columns make room for an address before it breaks.
              style={field.type === 'email' ? { overflowWrap: 'break-word' } : undefined}
            >
              {text}
            </Text>
          )
        );
      },
    })),
    // All in quarantine came from the web.
    ...(isQuarantine ? [] : [SOURCE]),
  ];
}

const REASON: Column<SubmissionOut> = {
  label: texts.quarantine.reason,
  cell: ({ quarantineReason }) => quarantineReason && texts.quarantine.reasons[quarantineReason],
};

const SOURCE: Column<SubmissionOut> = {
  label: texts.columns.via,
  cell: ({ metadata }) => texts.vias[metadata.submittedVia],
};
