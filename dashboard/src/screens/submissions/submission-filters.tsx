import { Button, Group, NativeSelect } from '@mantine/core';
import { useId } from 'react';
import type { FormField } from '@svcforms/contracts';
import { SearchInput } from '../../components/search-input.tsx';
import { submissionsTexts as texts } from '../../texts/submissions.ts';
import { DayInput, PeriodError } from '../../components/day-input.tsx';
import { isBackwards } from '../../components/days.ts';
import { Filters } from '../../components/filters.tsx';
import { FieldFilters } from './field-filters.tsx';
import type { SubmissionChanges, SubmissionSearch } from './submission-search.ts';

/** `onChange` receives the changed filters. */
export function SubmissionFilters({
  search,
  fields,
  onChange,
}: {
  search: SubmissionSearch;
  fields: readonly FormField[];
  onChange: (change: SubmissionChanges) => void;
}) {
  const { q = '', from = '', to = '', via = '', where = [], sort = '' } = search;
  const id = useId();
  const errorId = isBackwards(from, to) ? id : undefined;
  const isFiltered = Boolean(q || from || to || via || where.length > 0);
  const active = [search.list, from, to, via, sort].filter(Boolean).length + where.length;
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
        <NativeSelect
          label={texts.sort}
          value={sort || '-createdAt'}
          data={Object.entries(texts.sorts).map(([value, label]) => ({ value, label }))}
          onChange={({ currentTarget: { value } }) => onChange({ sort: value === 'createdAt' ? value : '' })}
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
