import { mapFields, type FieldMapping, type FormField } from '@svcforms/contracts';

export type SampleReading =
  | { ok: true; body: object }
  /** `json`: no JSON at all; `object`: JSON, but no object. */
  | { ok: false; problem: 'json' | 'object' };

/** The token may be in the body; then it is no value. contract: api.md §4 */
const TOKEN = 'token';
const TOKEN_PREFIX = 'svc_inb_';
/** Of what is nested in a sample: more would be no table to read. */
const MAX_PATHS = 100;
const MAX_DEPTH = 6;

/** What another system sends, without the token; an empty object for an empty text. */
export function readSample(text: string): SampleReading {
  if (text.trim() === '') return { ok: true, body: {} };
  let sample: unknown;
  try {
    sample = JSON.parse(text);
  } catch {
    return { ok: false, problem: 'json' };
  }
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) {
    return { ok: false, problem: 'object' };
  }
  const isCredential = (key: string, value: unknown) =>
    key === TOKEN && typeof value === 'string' && value.startsWith(TOKEN_PREFIX);
  const values = Object.entries(sample).filter(([key, value]) => !isCredential(key, value));
  return { ok: true, body: Object.fromEntries(values) };
}

/** The keys of a sample that can be mapped: those at the top, then the paths of what is nested in them. */
export function sampleKeys(body: object): string[] {
  const paths: string[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (paths.length >= MAX_PATHS || path.length > MAX_DEPTH) return;
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        // A dot inside a key would be read as the end of it.
        if (!key.includes('.')) visit(inner, [...path, key]);
      }
    } else if (path.length > 1) paths.push(path.join('.'));
  };
  visit(body, []);
  return [...Object.keys(body), ...paths.filter((path) => !Object.hasOwn(body, path))];
}

/** The data that the submission would have, before its values are checked; and the names that two values claim. */
export function previewSubmission(
  body: object,
  mapping: FieldMapping,
): { data: Record<string, unknown>; collisions: string[] } {
  const mapped = mapFields(mapping, body);
  const names = mapped.map(({ name }) => name);
  return {
    data: Object.fromEntries(mapped.map(({ name, value }) => [name, value])),
    collisions: [...new Set(names.filter((name, index) => names.indexOf(name) !== index))],
  };
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
    // Of a path, the last part says what it is.
    const said = [bare(key), bare(key.split('.').at(-1) ?? '')].filter((each) => each !== '');
    const field = fields.find(
      ({ name, label = '' }) =>
        !taken.has(name) && [bare(name), bare(label)].some((each) => said.includes(each)),
    );
    if (!field) continue;
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
