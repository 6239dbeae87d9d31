import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { shellTexts } from '../texts/shell.ts';

/** Loads the next page of a list. `label` says of what, away from the list. */
export function MoreButton({
  query,
  label = shellTexts.showMore,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
  label?: string;
}) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
      style={{ alignSelf: 'center' }}
    >
      {label}
    </Button>
  );
}
