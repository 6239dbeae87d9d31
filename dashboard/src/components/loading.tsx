import { Center, Loader } from '@mantine/core';
import { shellTexts } from '../texts/shell.ts';

export function Loading() {
  return (
    <Center py="xl" role="status" aria-label={shellTexts.loading}>
      <Loader aria-hidden />
    </Center>
  );
}
