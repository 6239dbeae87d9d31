import { Text } from '@mantine/core';
import type { KeyOut } from '@svcforms/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keyListQuery } from '../../api/keys.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { presetOf } from '../../components/key-presets.ts';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { Time } from '../../components/time.tsx';
import { developersTexts } from '../../texts/developers.ts';
import { keyTexts } from '../../texts/keys.ts';

const texts = developersTexts.keys;
const MOST_SHOWN = 5;

const COLUMNS: readonly Column<KeyOut>[] = [
  { label: keyTexts.columns.name, cell: ({ name }) => name },
  { label: keyTexts.preset, cell: ({ scopes }) => purposeOf(scopes) },
  {
    label: keyTexts.columns.lastUsed,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? keyTexts.neverUsed : <Time at={lastUsedAt} />),
  },
];

/** The newest keys, and when each was last used. */
export function KeyUse() {
  const list = useInfiniteQuery(keyListQuery);
  const keys = list.data?.pages[0]?.data ?? [];
  return (
    <>
      <Text>{texts.text}</Text>
      {list.isPending && <Loading />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {keys.length > 0 && (
        <DataTable
          name={texts.title}
          columns={COLUMNS}
          rows={keys.slice(0, MOST_SHOWN)}
          keyOf={({ id }) => id}
        />
      )}
      <TextLink to="/settings/keys">{texts.all}</TextLink>
    </>
  );
}

function purposeOf(scopes: KeyOut['scopes']): string {
  const preset = presetOf(scopes);
  return preset ? keyTexts.presets[preset] : keyTexts.customPreset;
}
