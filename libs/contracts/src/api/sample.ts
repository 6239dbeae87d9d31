import { z } from 'zod';

type Schema = z.core.JSONSchema.JSONSchema;

interface Context {
  defs: Record<string, Schema>;
  /** Whether optional properties are left out. */
  isMinimal: boolean;
}

/**
 * Builds an example of `schema` from the examples of its parts, optional ones included.
 * @returns undefined if a required part has no example
 */
export function sampleOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return buildSample(schema, io, false);
}

/** Like `sampleOf`, without the optional parts. */
export function minimalSampleOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return buildSample(schema, io, true);
}

function buildSample(schema: z.ZodType, io: 'input' | 'output', isMinimal: boolean): unknown {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return sample(root, { defs: root.$defs ?? {}, isMinimal });
}

function sample(schema: Schema, context: Context): unknown {
  if ('example' in schema) return schema['example'];
  if (schema.const !== undefined) return schema.const;
  if (schema.$ref !== undefined)
    return sample(context.defs[schema.$ref.replace('#/$defs/', '')] ?? {}, context);
  if (schema.type === 'array') {
    const entry = sample(asSchema(schema.items), context);
    return entry === undefined ? undefined : [entry];
  }
  if (schema.type === 'object') return sampleObject(schema, context);
  return schema.enum?.[0];
}

function sampleObject(schema: Schema, context: Context): unknown {
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) ?? false;
    if (context.isMinimal && !isRequired) continue;
    const value = sample(asSchema(member), context);
    if (value !== undefined) members.push([name, value]);
    else if (isRequired) return undefined;
  }
  return Object.fromEntries(members);
}

function asSchema(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
