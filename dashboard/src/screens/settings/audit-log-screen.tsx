import { Anchor, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { AuditAction, AuditEntryOut } from '@svcforms/contracts';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { auditLogQuery } from '../../api/audit-log.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DayInput, PeriodError } from '../../components/day-input.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Filters } from '../../components/filters.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { isBackwards } from '../../components/days.ts';
import { hasSearch } from '../../navigation/strict-search.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { useUserName } from '../../api/use-user-name.ts';
import { ActorFilter, TargetFilter } from './audit-filters.tsx';
import { AuditTarget } from './audit-target.tsx';
import { changeText, targetText } from './audit-words.ts';
import { auditFiltersOf, presentIn, type AuditSearch } from './audit-search.ts';

const texts = settingsTexts.audit;

/** The audit log of the account, newest first. */
export function AuditLogScreen() {
  const search = useSearch({ from: '/shell/settings/audit-log' });
  const navigate = useNavigate();
  const hasPeriod = !isBackwards(search.from, search.to);
  const id = useId();
  const errorId = hasPeriod ? undefined : id;
  const list = useInfiniteQuery({ ...auditLogQuery(auditFiltersOf(search)), enabled: hasPeriod });
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const nameOf = useUserName();
  const isFiltered = hasSearch(search);
  const setSearch = (next: AuditSearch) =>
    void navigate({ to: '/settings/audit-log', search: next, replace: true });
  const change = (part: { [K in keyof AuditSearch]?: AuditSearch[K] | '' }) =>
    setSearch(presentIn({ ...search, ...part }));

  return (
    <Page title={texts.title} of={settingsTexts.title}>
      <Text c="dimmed">{texts.intro}</Text>
      <Group align="flex-end" gap="sm">
        <Filters active={Object.values(search).filter(Boolean).length}>
          <NativeSelect
            label={texts.action}
            value={search.action ?? ''}
            data={[
              { value: '', label: texts.anyAction },
              ...Object.entries(texts.actions).map(([value, label]) => ({ value, label })),
            ]}
            onChange={({ currentTarget }) => change({ action: currentTarget.value as AuditAction | '' })}
          />
          <ActorFilter
            value={search.actor}
            nameOf={(id) => rows.find(({ actor }) => actor.id === id)?.actor.name ?? undefined}
            onChange={(actor) => change({ actor })}
          />
          <TargetFilter
            value={search.target}
            nameOf={(id) => {
              const row = rows.find(({ target }) => target.id === id);
              return row && targetText(row.target, row.resource);
            }}
            onChange={(target) => change({ target })}
          />
          {/* They wrap together. */}
          <Group gap="sm" wrap="nowrap">
            <DayInput label={texts.from} value={search.from ?? ''} onDay={(from) => change({ from })} />
            <DayInput
              label={texts.to}
              value={search.to ?? ''}
              errorId={errorId}
              onDay={(to) => change({ to })}
            />
          </Group>
        </Filters>
        {isFiltered && (
          <Button variant="subtle" onClick={() => setSearch({})}>
            {texts.clear}
          </Button>
        )}
        {errorId && <PeriodError id={errorId} />}
      </Group>
      {list.isPending && hasPeriod && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {(list.data || !hasPeriod) && rows.length === 0 && (
        <EmptyState icon={IconHistory} text={isFiltered ? texts.nothingFound : texts.empty} />
      )}
      {rows.length > 0 && (
        <DataTable
          name={texts.title}
          columns={columnsFor(change, nameOf)}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
      <MoreButton query={list} />
    </Page>
  );
}

const columnsFor = (
  change: (part: AuditSearch) => void,
  nameOf: (id: string) => string,
): readonly Column<AuditEntryOut>[] => [
  { label: texts.columns.time, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    label: texts.columns.actor,
    cell: ({ actor: { type, id, name }, ip }) => {
      // Whoever has no id has no name of their own.
      const ownName = id === null ? null : name;
      return (
        <Stack gap={0}>
          <Only id={id} text={ownName ?? texts.actorTypes[type]} onClick={(actor) => change({ actor })} />
          <Text span c="dimmed" size="sm">
            {[ownName !== null && texts.actorTypes[type], ip].filter(Boolean).join(' · ')}
          </Text>
        </Stack>
      );
    },
  },
  { label: texts.columns.action, cell: ({ action }) => texts.actions[action] },
  {
    label: texts.columns.target,
    cell: (entry) => <AuditTarget entry={entry} onOnly={(target) => change({ target })} />,
  },
  {
    label: texts.columns.changes,
    cell: ({ action, changes }) =>
      Object.keys(changes).length > 0 && (
        <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
          {Object.entries(changes).map(([property, of]) => (
            <span key={property}>{changeText(property, of, nameOf, action)}</span>
          ))}
        </Stack>
      ),
  },
];

/** The name of an actor, which filters by its id. The id is its title. */
function Only({ id, text, onClick }: { id: string | null; text: string; onClick: (id: string) => void }) {
  if (id === null) return text;
  return (
    <Anchor
      component="button"
      type="button"
      ta="start"
      title={id}
      aria-label={texts.onlyActor(text)}
      onClick={() => onClick(id)}
    >
      {text}
    </Anchor>
  );
}
