import {
  isAppError,
  mapFields,
  readInboundFields,
  segmentsOf,
  spokenFields,
  type FieldMapping,
  type FormField,
  type FormOut,
  type Issue,
} from '@svcforms/contracts';
import { labelOf } from '../../components/field-labels.ts';

type SampleReading =
  | { ok: true; body: object }
  /** `json`: the text isn't JSON. `object`: the JSON isn't an object. */
  | { ok: false; problem: 'json' | 'object' };

/** The body may contain the token, which isn't a value. docs/reference/inbound.md#token */
const TOKEN = 'token';
const TOKEN_PREFIX = 'svc_inb_';
/** Limits for nested values, so that the table stays readable. */
const MAX_PATHS = 100;
const MAX_DEPTH = 6;

/** Parses a sample body and removes the token. An empty text is an empty object. */
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

/** The keys of a sample: the top-level keys, then the paths of nested values. */
export function sampleKeys(body: object): string[] {
  const paths: string[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (paths.length >= MAX_PATHS || path.length > MAX_DEPTH) return;
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        // Paths can't contain keys with a dot.
        if (!key.includes('.')) visit(inner, [...path, key]);
      }
    } else if (path.length > 1) paths.push(path.join('.'));
  };
  visit(body, []);
  return [...Object.keys(body), ...paths.filter((path) => !Object.hasOwn(body, path))];
}

/**
 * The data of the submission, or what the endpoint would refuse, with the data as sent.
 * docs/reference/inbound.md#field-mapping
 */
export function tryMapping(
  { fields, settings }: Pick<FormOut, 'fields' | 'settings'>,
  mapping: FieldMapping,
  body: object,
): { data: Record<string, unknown>; issues: readonly Issue[] } {
  try {
    const spoken = spokenFields(fields, settings);
    return { data: readInboundFields(spoken, mapping, body, settings.jumps), issues: [] };
  } catch (error) {
    if (!isAppError(error)) throw error;
    const sent = mapFields(mapping, body).map(({ name, value }) => [name, value] as const);
    return { data: Object.fromEntries(sent), issues: error.details.issues ?? [] };
  }
}

/**
 * Adds suggestions to a mapping: for each unmapped key, the field with a similar name or label
 * (`E-Mail` for `email`). It never maps two keys to one field.
 */
export function suggestMapping(
  keys: Iterable<string>,
  fields: readonly Pick<FormField, 'name' | 'label'>[],
  mapping: FieldMapping,
): Record<string, string> {
  const sent = [...keys];
  const names = new Set(fields.map(({ name }) => name));
  const used = new Set([...Object.values(mapping), ...sent.filter((key) => names.has(key))]);
  const suggested = new Map(Object.entries(mapping));
  for (const key of sent) {
    if (names.has(key) || suggested.has(key)) continue;
    // For a path, the last segment counts too.
    const candidates = [normalize(key), normalize(key.split('.').at(-1) ?? '')].filter((each) => each !== '');
    const field = fields.find(
      ({ name, label = '' }) =>
        !used.has(name) && [normalize(name), normalize(label)].some((each) => candidates.includes(each)),
    );
    if (!field) continue;
    suggested.set(key, field.name);
    used.add(field.name);
  }
  return Object.fromEntries(suggested);
}

/** Normalizes a name: lower case, only letters and digits. */
function normalize(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The keys that share a field with another key, which the API refuses. */
export function duplicateKeys(mapping: FieldMapping): ReadonlySet<string> {
  const entries = Object.entries(mapping);
  return new Set(
    entries
      .filter(([key, field]) => entries.some(([other, otherField]) => other !== key && otherField === field))
      .map(([key]) => key),
  );
}

/**
 * Names the field that a JSON pointer into a request leads to: `Email (customer.mail)`. A key
 * without a field is its own name.
 */
export function fieldNameAt(fields: readonly FormField[], mapping: FieldMapping, pointer: string): string {
  const parts = segmentsOf(pointer);
  // A part of the value, such as a choice, belongs to the field of the whole value.
  const keys = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
  for (const key of keys) {
    const name = Object.hasOwn(mapping, key) ? mapping[key] : key;
    const field = fields.find((one) => one.name === name);
    if (field) return key === field.name ? labelOf(field) : `${labelOf(field)} (${key})`;
  }
  return keys[0] ?? '';
}
