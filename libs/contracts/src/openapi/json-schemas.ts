import { z } from 'zod';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

type Direction = 'input' | 'output';

/**
 * The JSON schemas of a document. Named ones (`meta.id`) are stored once, under
 * `components/schemas`. If the input and the output of a schema differ, the input is called
 * `…Input`.
 */
export function createJsonSchemas() {
  const named: Record<Direction, Map<string, JsonObject>> = { input: new Map(), output: new Map() };

  /** Converts `schema` to JSON Schema, with references to its named parts. */
  function of(schema: z.ZodType, io: Direction): JsonObject {
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonObject;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonObject>)) {
      named[io].set(name, tidied(definition, io) as JsonObject);
    }
    return tidied(root, io) as JsonObject;
  }

  /** The schemas whose input differs from the output, directly or through a reference. */
  function inputNames(): Set<string> {
    const differing = new Set<string>();
    for (const [name, schema] of named.input) {
      const other = named.output.get(name);
      if (other && JSON.stringify(other) !== JSON.stringify(schema)) differing.add(name);
    }
    for (let grown = -1; grown < differing.size;) {
      grown = differing.size;
      for (const [name, schema] of named.input) {
        if (named.output.has(name) && referencesIn(schema).some((to) => differing.has(to)))
          differing.add(name);
      }
    }
    return differing;
  }

  return {
    of,
    /** Replaces the references in the document and the named schemas with the final ones. */
    finish(document: JsonObject): JsonObject {
      const renamed = inputNames();
      const nameOf = (name: string, io: Direction) =>
        io === 'input' && renamed.has(name) ? `${name}Input` : name;
      const schemas: JsonObject = {};
      for (const io of ['output', 'input'] as const) {
        for (const [name, schema] of named[io]) schemas[nameOf(name, io)] = resolved(schema, nameOf);
      }
      const components = { ...(document['components'] as JsonObject), schemas: sorted(schemas) };
      return resolved({ ...document, components }, nameOf) as JsonObject;
    },
  };
}

const REFERENCE = /^#(input|output)\/(.*)$/;

/**
 * Marks references with their direction until all names are known, and converts examples to OpenAPI
 * 3.1.
 */
function tidied(value: Json, io: Direction): Json {
  if (Array.isArray(value)) return value.map((entry) => tidied(entry, io));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    if (key === '$ref' && typeof member === 'string')
      return [[key, `#${io}/${member.replace('#/$defs/', '')}`]];
    // A property can have this name too; then its value is a schema.
    if (key === 'example' && !isSchema(member)) return [['examples', [member]]];
    if (key === 'default' || key === 'examples' || key === 'enum' || key === 'const') return [[key, member]];
    // `date-time` suffices; the pattern is unreadable.
    if (key === 'pattern' && value['format'] === 'date-time') return [];
    if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(member)) === Number.MAX_SAFE_INTEGER)
      return [];
    return [[key, tidied(member, io)]];
  });
  return Object.fromEntries(entries);
}

function isSchema(value: Json): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    ('type' in value || '$ref' in value)
  );
}

function resolved(value: Json, nameOf: (name: string, io: Direction) => string): Json {
  if (Array.isArray(value)) return value.map((entry) => resolved(entry, nameOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const [, io, name] = (key === '$ref' && typeof member === 'string' && REFERENCE.exec(member)) || [];
      if (io && name) return [key, `#/components/schemas/${nameOf(name, io as Direction)}`];
      return [key, resolved(member, nameOf)];
    }),
  );
}

function referencesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const [, , name] = (key === '$ref' && typeof member === 'string' && REFERENCE.exec(member)) || [];
    return name ? [name] : referencesIn(member);
  });
}

export function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
