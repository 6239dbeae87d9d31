import { Button, Group, NativeSelect } from '@mantine/core';
import { useId } from 'react';
import type { FormField } from '@svcforms/contracts';
import { SearchInput } from '../../components/search-input.tsx';
import { submissionsTexts as texts } from '../../texts/submissions.ts';
import { DayInput, PeriodError } from '../../components/day-input.tsx';
import { isBackwards } from '../../components/days.ts';
import { Filters } from '../../components/filters.tsx';
import { FieldFilters } from './field-filters.tsx';
import { sortingsOf, type FieldSorting } from './field-sorting.ts';
import type { SubmissionChanges, SubmissionSearch } from './submission-search.ts';

/** `onChange` receives the changed filters, and `onSort` the order by a field. */
export function SubmissionFilters({
  search,
  fields,
  sorting,
  onChange,
  onSort,
}: {
  search: SubmissionSearch;
  fields: readonly FormField[];
  sorting: FieldSorting | undefined;
  onChange: (change: SubmissionChanges) => void;
  onSort: (sorting: FieldSorting | undefined) => void;
}) {
  const { q = '', from = '', to = '', via = '', where = [], sort = '' } = search;
  const id = useId();
  const errorId = isBackwards(from, to) ? id : undefined;
  const isFiltered = Boolean(q || from || to || via || where.length > 0);
  const active = [search.list, from, to, via, sorting ?? sort].filter(Boolean).length + where.length;
  return (
    <Group align="flex-end" gap="sm">
      <SearchInput label={texts.search} value={q} onSearch={(text) => onChange({ q: text })} />
      <Filters active={active}>
        <NativeSelect
          label={texts.status}
          value={search.list ? 'quarantined' : 'accepted'}
          data={Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ list: value === 'quarantined' ? 'quarantine' : '' })
          }
        />
        <DayInput label={texts.since} value={from} onDay={(day) => onChange({ from: day })} />
        <DayInput label={texts.until} value={to} errorId={errorId} onDay={(day) => onChange({ to: day })} />
        <NativeSelect
          label={texts.via}
          value={via}
          data={[
            { value: '', label: texts.viaAny },
            ...Object.entries(texts.vias).map(([value, label]) => ({ value, label })),
          ]}
          onChange={({ currentTarget }) => onChange({ via: currentTarget.value })}
        />
        <SortSelect
          fields={fields}
          sort={sort}
          sorting={sorting}
          onChange={(chosen) => {
            onSort(typeof chosen === 'string' ? undefined : chosen);
            if (typeof chosen === 'string') onChange({ sort: chosen });
          }}
        />
        <FieldFilters
          fields={fields}
          conditions={where}
          onChange={(conditions) => onChange({ where: conditions.length > 0 ? conditions : undefined })}
        />
      </Filters>
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() => onChange({ q: '', from: '', to: '', via: '', where: undefined })}
        >
          {texts.clear}
        </Button>
      )}
      {errorId && <PeriodError id={errorId} />}
    </Group>
  );
}

/** The orders of the list, and those by a field, for which narrow screens have no headings. */
function SortSelect({
  fields,
  sort,
  sorting,
  onChange,
}: {
  fields: readonly FormField[];
  sort: NonNullable<SubmissionSearch['sort']> | '';
  sorting: FieldSorting | undefined;
  onChange: (chosen: typeof sort | FieldSorting) => void;
}) {
  const keyOf = ({ name, direction }: FieldSorting) => `${name} ${direction}`;
  const sortings = sortingsOf(fields);
  return (
    <NativeSelect
      label={texts.sort}
      maw="14rem"
      value={sorting ? keyOf(sorting) : sort || '-createdAt'}
      data={[
        ...Object.entries(texts.sorts).map(([value, label]) => ({ value, label })),
        ...sortings.map((one) => ({
          value: keyOf(one),
          label: texts.fieldSorts[one.direction](one.label),
        })),
      ]}
      onChange={({ currentTarget: { value } }) => {
        const chosen = sortings.find((one) => keyOf(one) === value);
        onChange(chosen ?? (value === 'createdAt' ? value : ''));
      }}
    />
  );
}
