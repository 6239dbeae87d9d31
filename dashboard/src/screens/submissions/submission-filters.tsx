import { Button, Group, NativeSelect } from '@mantine/core';
import { SearchInput } from '../../components/search-input.tsx';
import { submissionsTexts as texts } from '../../texts/submissions.ts';
import { DayInput } from '../../components/day-input.tsx';
import type { SubmissionSearch } from './submission-search.ts';

/** `onChange` receives the changed filters. */
export function SubmissionFilters({
  search,
  onChange,
}: {
  search: SubmissionSearch;
  onChange: (change: { [K in keyof SubmissionSearch]?: string }) => void;
}) {
  const { q = '', from = '', to = '', via = '' } = search;
  const isFiltered = Boolean(q || from || to || via);
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={texts.status}
        value={search.list ? 'quarantined' : 'accepted'}
        data={Object.entries(texts.statuses).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ list: value === 'quarantined' ? 'quarantine' : '' })
        }
      />
      <SearchInput label={texts.search} value={q} onSearch={(text) => onChange({ q: text })} />
      <DayInput label={texts.since} value={from} onDay={(day) => onChange({ from: day })} />
      <DayInput label={texts.until} value={to} onDay={(day) => onChange({ to: day })} />
      <NativeSelect
        label={texts.via}
        value={via}
        data={[
          { value: '', label: texts.viaAny },
          ...Object.entries(texts.vias).map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget }) => onChange({ via: currentTarget.value })}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={() => onChange({ q: '', from: '', to: '', via: '' })}>
          {texts.clear}
        </Button>
      )}
    </Group>
  );
}
