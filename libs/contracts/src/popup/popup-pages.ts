import { z } from 'zod';

const MAX_PATHS = 20;
const MAX_PATH_LENGTH = 200;

/**
 * Normalizes a path for storage: trimmed, with a leading slash, at most 200 characters; `''` for a
 * blank one.
 */
function savedPath(text: string): string {
  const path = text.trim();
  if (path === '') return '';
  const absolute = path.startsWith('/') ? path : `/${path}`;
  if (absolute.length <= MAX_PATH_LENGTH) return absolute;
  // A cut may leave half an emoji, or trailing white space that the next save would trim.
  return absolute
    .slice(0, MAX_PATH_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}

/**
 * Normalizes a list of paths for storage: blank paths are dropped and the first 20 are kept,
 * without an error. docs/reference/popups.md#page-targeting
 */
function savedPaths(paths: string[]): string[] {
  return paths
    .map(savedPath)
    .filter((path) => path !== '')
    .slice(0, MAX_PATHS);
}

const pathList = z.array(z.string()).overwrite(savedPaths);

export const PopupPages = z
  .strictObject({
    include: pathList
      .meta({
        description:
          'Paths that show the popup; `*` stands for any text, so `/blog/*` covers what is under /blog. Absent or empty: every page.',
        example: ['/pricing', '/blog/*'],
      })
      .optional(),
    exclude: pathList
      .meta({ description: 'Paths that never show it, also when included.', example: ['/blog/private'] })
      .optional(),
  })
  .meta({
    id: 'PopupPages',
    description:
      'Pages of the popup. Each list keeps its first 20 paths and of each path the first 200 characters, leading slash included.',
  });
