import { z } from 'zod';
import { prefixOf } from '../errors/whole-characters.ts';

const MAX_PATHS = 20;
const MAX_PATH_LENGTH = 200;

/**
 * The stored form of a path: trimmed, with a leading slash, at most 200 characters including the
 * slash. A blank path becomes `''`.
 */
function savedPath(text: string): string {
  const path = text.trim();
  if (path === '') return '';
  const absolute = path.startsWith('/') ? path : `/${path}`;
  // The cut may leave trailing whitespace, which the next save would trim.
  return prefixOf(absolute, MAX_PATH_LENGTH).trimEnd();
}

/**
 * The stored form of a list of paths: without blank ones, at most 20. Excess paths and characters
 * are dropped, never refused. See docs/reference/popups.md#page-targeting.
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
          'Paths that show the popup. `*` matches any text, so `/blog/*` matches everything under /blog. Default, or an empty list: every page.',
        example: ['/pricing', '/blog/*'],
      })
      .optional(),
    exclude: pathList
      .meta({ description: 'Paths that never show the popup, even if included.', example: ['/blog/private'] })
      .optional(),
  })
  .meta({
    id: 'PopupPages',
    description:
      'Page targeting of the popup. Each list keeps its first 20 paths, and each path its first 200 characters including the leading slash.',
  });
