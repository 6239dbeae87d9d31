import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { AuditAction, AuditEntryOut } from '@svcforms/contracts';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { auditLogQuery } from '../../api/audit-log.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useDebouncedText } from '../../components/use-debounced-text.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { auditFiltersOf, presentIn, type AuditSearch } from './audit-search.ts';

const texts = settingsTexts.audit;

/** The audit log of the account, newest first. */
export function AuditLogScreen() {
  const search = useSearch({ from: '/shell/settings/audit-log' });
  const navigate = useNavigate();
  const list = useInfiniteQuery(auditLogQuery(auditFiltersOf(search)));
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = Object.keys(search).length > 0;
  const setSearch = (next: AuditSearch) =>
    void navigate({ to: '/settings/audit-log', search: next, replace: true });
  const change = (part: { [K in keyof AuditSearch]?: AuditSearch[K] | '' }) =>
    setSearch(presentIn({ ...search, ...part }));

  return (
    <Page title={texts.title} of={settingsTexts.title}>
      <Text c="dimmed">{texts.intro}</Text>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={texts.action}
          value={search.action ?? ''}
          data={[
            { value: '', label: texts.anyAction },
            ...Object.entries(texts.actions).map(([value, label]) => ({ value, label })),
          ]}
          onChange={({ currentTarget }) => change({ action: currentTarget.value as AuditAction | '' })}
        />
        <Filter label={texts.actorId} value={search.actor} onText={(actor) => change({ actor })} />
        <Filter label={texts.targetId} value={search.target} onText={(target) => change({ target })} />
        <Filter label={texts.from} value={search.from} onText={(from) => change({ from })} type="date" />
        <Filter label={texts.to} value={search.to} onText={(to) => change({ to })} type="date" />
        {isFiltered && (
          <Button variant="subtle" onClick={() => setSearch({})}>
            {texts.clear}
          </Button>
        )}
      </Group>
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && rows.length === 0 && (
        <EmptyState icon={IconHistory} text={isFiltered ? texts.nothingFound : texts.empty} />
      )}
      {rows.length > 0 && (
        <DataTable name={texts.title} columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
      )}
      <MoreButton query={list} />
    </Page>
  );
}

/** `onText` is debounced. */
function Filter({
  label,
  value = '',
  onText,
  type = 'text',
}: {
  label: string;
  value: string | undefined;
  onText: (text: string) => void;
  type?: 'text' | 'date';
}) {
  const [text, setText] = useDebouncedText(value, (typed) => onText(typed.trim()));
  return (
    <TextInput
      type={type}
      label={label}
      value={text}
      maxLength={200}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}

const COLUMNS: readonly Column<AuditEntryOut>[] = [
  { label: texts.columns.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    label: texts.columns.actor,
    cell: ({ actor, ip }) => (
      <Stack gap={0}>
        <span>{actor.name ?? actor.id ?? texts.actorTypes[actor.type]}</span>
        <Text span c="dimmed" size="sm">
          {[texts.actorTypes[actor.type], ip].filter(Boolean).join(' · ')}
        </Text>
      </Stack>
    ),
  },
  { label: texts.columns.action, cell: ({ action }) => texts.actions[action] },
  {
    label: texts.columns.target,
    cell: ({ target }) => (
      <Stack gap={0}>
        {target.name && <span>{target.name}</span>}
        {target.id && (
          <Text span c="dimmed" size="xs" ff="monospace">
            {target.id}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    label: texts.columns.changes,
    cell: ({ changes }) => (
      <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
        {Object.entries(changes).map(([name, change]) => (
          <span key={name}>{changeText(name, change)}</span>
        ))}
      </Stack>
    ),
  },
];

function changeText(name: string, change: AuditEntryOut['changes'][string]): string {
  const { from, to } = change;
  if (to === undefined) return texts.changed(name);
  if (from === undefined || from === null) return texts.set(name, valueText(to));
  return texts.changedTo(name, valueText(from), valueText(to));
}

const valueText = (value: unknown): string =>
  value === null
    ? texts.none
    : Array.isArray(value)
      ? value.map(valueText).join(', ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
