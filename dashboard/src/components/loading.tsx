import { Skeleton, Stack } from '@mantine/core';
import { shellTexts } from '../texts/shell.ts';

/** In pixels, and repeated, so that what loads takes about the same space. */
const SHAPES = {
  lines: [20, 20, 20],
  rows: [36, 44, 44],
  chart: [240],
} as const;

/** Stands for content that loads. `shape` is what it looks like. */
export function Loading({ shape = 'lines' }: { shape?: keyof typeof SHAPES }) {
  return (
    <Stack gap="xs" role="status" aria-label={shellTexts.loading}>
      {SHAPES[shape].map((height, index) => (
        <Skeleton key={index} height={height} radius="md" aria-hidden />
      ))}
    </Stack>
  );
}
