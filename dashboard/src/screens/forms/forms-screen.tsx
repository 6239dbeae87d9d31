import { Button, Group } from '@mantine/core';
import { isPopup, type FormOut } from '@svcforms/contracts';
import { IconForms, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formListQuery } from '../../api/forms.ts';
import { useHasScope } from '../../api/session.ts';
import { useContinuedSearch } from '../../api/use-continued-search.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Outdated } from '../../components/outdated.tsx';
import { Page } from '../../components/page.tsx';
import { SearchInput } from '../../components/search-input.tsx';
import { Time } from '../../components/time.tsx';
import { formsTexts as texts } from '../../texts/forms.ts';
import { ListedStatus } from './listed-status.tsx';
import { StatsSparkline } from './stats-sparkline.tsx';
import { FormActions } from './form-actions.tsx';
import { ImportButton } from './import-button.tsx';
import { NewFormDialog } from './new-form-dialog.tsx';
import { useFormStats } from './use-form-stats.ts';

export function FormsScreen() {
  const { q = '', new: isNew } = useSearch({ from: '/shell/forms' });
  const navigate = useNavigate();
  const mayWrite = useHasScope('forms:write');
  const setNew = (isOpen: boolean) =>
    void navigate({
      to: '/forms',
      search: { ...(q && { q }), ...(isOpen && { new: true as const }) },
      replace: !isOpen,
    });
  const list = useInfiniteQuery({ ...formListQuery(q), placeholderData: keepPreviousData });
  const pages = list.data?.pages.map(({ data }) => data) ?? [];
  const forms = pages.flat();
  const isSearching = useContinuedSearch(list, forms.length);
  const isEmpty = list.data !== undefined && forms.length === 0 && q === '';
  const numbersOf = useFormStats(pages);
  const newButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNew(true)}>
      {texts.new.button}
    </Button>
  );
  return (
    <Page
      title={texts.title}
      actions={
        mayWrite && (
          <Group gap="xs">
            <ImportButton />
            {!isEmpty && newButton}
          </Group>
        )
      }
    >
      <SearchInput
        label={texts.search}
        value={q}
        onSearch={(text) => void navigate({ to: '/forms', search: text ? { q: text } : {}, replace: true })}
      />
      {(list.isPending || isSearching) && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && forms.length === 0 && !isSearching && (
        <EmptyState icon={IconForms} text={q ? texts.nothingFound(q) : texts.empty}>
          {isEmpty && mayWrite && newButton}
        </EmptyState>
      )}
      {forms.length > 0 && (
        <Outdated when={list.isPlaceholderData}>
          <DataTable name={texts.title} columns={columnsOf(numbersOf)} rows={forms} keyOf={({ id }) => id} />
          <MoreButton query={list} />
        </Outdated>
      )}
      {isNew && mayWrite && <NewFormDialog onClose={() => setNew(false)} />}
    </Page>
  );
}

function columnsOf(numbersOf: ReturnType<typeof useFormStats>): readonly Column<FormOut>[] {
  return [
    {
      label: texts.columns.name,
      cell: ({ id, name }) => (
        <TextLink to="/forms/$formId" params={{ formId: id }}>
          {name}
        </TextLink>
      ),
    },
    { label: texts.columns.status, cell: (form) => <ListedStatus form={form} /> },
    {
      label: texts.columns.mode,
      cell: ({ settings }) => (isPopup(settings) ? texts.popup : texts.inline),
    },
    {
      label: texts.columns.submissions,
      isNumber: true,
      cell: ({ id }) => {
        const numbers = numbersOf(id);
        if (!numbers) return numbers === null ? texts.noNumber : texts.numberToCome;
        return numbers.totalSubmissions.toLocaleString('en');
      },
    },
    {
      label: texts.columns.line,
      cell: ({ id }) => {
        const numbers = numbersOf(id);
        return numbers && <StatsSparkline days={numbers.days} />;
      },
    },
    { label: texts.columns.changed, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    { label: texts.columns.actions, cell: (form) => <FormActions form={form} /> },
  ];
}
