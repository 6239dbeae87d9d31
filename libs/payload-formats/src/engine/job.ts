import type { PayloadError } from '@svcforms/contracts';
import type { PayloadEvent } from '../event/payload-event.ts';

/** The request to a template process. */
export type Job =
  { kind: 'check'; template: string } | { kind: 'render'; template: string; event: PayloadEvent };

/**
 * The body, or why there is none. A body that isn't valid JSON comes with its error, for previews.
 */
export type Rendering = { body: string; error?: undefined } | { body?: string; error: PayloadError };

/** What it sends: that it has started, or the result of its job. `null`: the template parses. */
export type ProcessMessage = { kind: 'ready' } | { kind: 'done'; result: Rendering | null };

/** Limits of one rendering. docs/reference/webhooks.md#template-limits */
export const LIMITS = {
  renderMs: 200,
  bodyBytes: 1024 * 1024,
  /** Everything that is written, captured text included. In UTF-16 units. */
  writtenUnits: 4 * 1024 * 1024,
  /** Characters and list entries that filters and ranges make. */
  memoryUnits: 10_000_000,
} as const;
