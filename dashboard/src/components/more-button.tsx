import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { shellTexts } from '../texts/shell.ts';

/** Loads the next page of a list. */
export function MoreButton({
  query,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'>;
}) {
  if (!query.hasNextPage) return null;
  return (
    <Button
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
      style={{ alignSelf: 'center' }}
    >
      {shellTexts.showMore}
    </Button>
  );
}
