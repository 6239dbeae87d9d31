import { Stack } from '@mantine/core';
import type { FormOut } from '@svcforms/contracts';
import { IconForms } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formListQuery } from '../../api/forms.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { Time } from '../../components/time.tsx';
import { formsTexts as texts } from '../../texts/forms.ts';

const COLUMNS: readonly Column<FormOut>[] = [
  {
    label: texts.columns.name,
    cell: ({ id, name }) => (
      <TextLink to="/forms/$formId" params={{ formId: id }}>
        {name}
      </TextLink>
    ),
  },
  {
    label: texts.columns.mode,
    cell: ({ settings }) => (settings.popup?.enabled ? texts.popup : texts.inline),
  },
  { label: texts.columns.changed, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

export function FormsScreen() {
  const { q = '' } = useSearch({ from: '/shell/forms' });
  const navigate = useNavigate();
  const list = useInfiniteQuery({ ...formListQuery(q), placeholderData: keepPreviousData });
  const forms = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page title={texts.title}>
      <SearchInput
        label={texts.search}
        value={q}
        onSearch={(text) => void navigate({ to: '/forms', search: text ? { q: text } : {}, replace: true })}
      />
      {list.isPending && <Loading />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && forms.length === 0 && (
        <EmptyState icon={IconForms} text={q ? texts.nothingFound(q) : texts.empty} />
      )}
      {forms.length > 0 && (
        <Stack>
          <DataTable name={texts.title} columns={COLUMNS} rows={forms} keyOf={({ id }) => id} />
          <MoreButton query={list} />
        </Stack>
      )}
    </Page>
  );
}
