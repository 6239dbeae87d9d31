import { z } from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;

/**
 * Returns an example for a schema from the examples of its parts, without the parts that clients
 * should omit. `undefined` if a required part has no example.
 */
export function sampleOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return sample(root, root.$defs ?? {});
}

function sample(schema: Schema, defs: Record<string, Schema>): unknown {
  if ('example' in schema) return schema['example'];
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref !== undefined) return sample(defs[schema.$ref.replace('#/$defs/', '')] ?? {}, defs);
  if (schema.type === 'array') {
    const entry = sample(asSchema(schema.items), defs);
    return entry === undefined ? undefined : [entry];
  }
  if (schema.type === 'object') return sampleObject(schema, defs);
  return schema.enum?.[0];
}

function sampleObject(schema: Schema, defs: Record<string, Schema>): unknown {
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const value = sample(asSchema(member), defs);
    if (value !== undefined) members.push([name, value]);
    else if (schema.required?.includes(name)) return undefined;
  }
  return Object.fromEntries(members);
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
