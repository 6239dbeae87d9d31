import type { FormField } from '@svcforms/contracts';

export type FieldMapping = Readonly<Record<string, string>>;

export type SampleReading =
  | { ok: true; values: ReadonlyMap<string, unknown> }
  /** `json`: no JSON at all; `object`: JSON, but no object. */
  | { ok: false; problem: 'json' | 'object' };

/** The token may be in the body; it is no value. contract: api.md §4 */
const TOKEN = 'token';

/** The top-level keys of what another system sends, with their values. Empty for an empty text. */
export function readSample(text: string): SampleReading {
  if (text.trim() === '') return { ok: true, values: new Map() };
  let sample: unknown;
  try {
    sample = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'json' };
  }
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) {
    return { ok: false, problem: 'object' };
  }
  return { ok: true, values: new Map(Object.entries(sample).filter(([key]) => key !== TOKEN)) };
}

/**
 * The mapping, and for keys of a sample that are no field yet the field whose name or label says the same: `E-Mail` for `email`. No
 * field is taken twice.
 */
export function suggestMapping(
  keys: Iterable<string>,
  fields: readonly Pick<FormField, 'name' | 'label'>[],
  mapping: FieldMapping,
): Record<string, string> {
  const sent = [...keys];
  const names = new Set(fields.map(({ name }) => name));
  const taken = new Set([...Object.values(mapping), ...sent.filter((key) => names.has(key))]);
  const suggested = new Map(Object.entries(mapping));
  for (const key of sent) {
    if (names.has(key) || suggested.has(key)) continue;
    const field = fields.find(
      ({ name, label = '' }) => !taken.has(name) && [bare(name), bare(label)].includes(bare(key)),
    );
    if (!field || bare(key) === '') continue;
    suggested.set(key, field.name);
    taken.add(field.name);
  }
  return Object.fromEntries(suggested);
}

/** What is left of a name when one does not look at how it is written. */
function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The keys whose field another key has too; the API refuses them. */
export function doubleKeys(mapping: FieldMapping): ReadonlySet<string> {
  const entries = Object.entries(mapping);
  return new Set(
    entries
      .filter(([key, field]) => entries.some(([other, otherField]) => other !== key && otherField === field))
      .map(([key]) => key),
  );
}
