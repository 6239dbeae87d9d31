/** Which build of the product a process runs. */
export interface BuildInfo {
  /** The version of the product: that of the package.json at the root. */
  version: string;
  /** The full hash of the Git commit, or `unknown`. */
  commit: string;
}

/** `npm run build` replaces this name with its value. */
declare const SVCFORMS_BUILD: BuildInfo | undefined;

/**
 * The build of this process. Both values are `unknown` in a program that `npm run build` didn't
 * bundle.
 */
export const buildInfo: BuildInfo =
  typeof SVCFORMS_BUILD === 'undefined' ? { version: 'unknown', commit: 'unknown' } : SVCFORMS_BUILD;
