import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { shellTexts } from '../texts/shell.ts';

/** Under a list that has more than it shows. */
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
