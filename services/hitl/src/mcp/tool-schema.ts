import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * The registered descriptions, without the ids: a schema with an id becomes a `$ref`, which some
 * clients don't resolve.
 */
class Descriptions extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get<S extends z.core.$ZodType>(schema: S) {
    const description = z.globalRegistry.get(schema)?.description;
    return (description === undefined ? undefined : { description }) as ReturnType<
      z.core.$ZodRegistry<z.core.GlobalMeta>['get']
    >;
  }
}

/** What the server checks anyway and a model can't use. */
const NOISE_IN_INPUT = ['pattern', 'propertyNames'] as const;
/** A result needs no limits, and later versions may add properties to it. */
const NOISE_IN_OUTPUT = [
  ...NOISE_IN_INPUT,
  'additionalProperties',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minLength',
  'minimum',
] as const;

/**
 * Parts of a task that are plain objects in the schemas of results, because each tool with tasks
 * has them.
 */
const OPAQUE_IN_OUTPUT: ReadonlySet<unknown> = new Set([
  'TaskCallback',
  'TaskClaim',
  'TaskEscalation',
  'TaskPolicy',
  'TaskProgress',
  'TaskVote',
]);

/**
 * The schema of a tool's arguments as clients see it: `type` and `properties` at the root, no
 * `$ref` anywhere. The server accepts any arguments under it, because the tool checks them itself
 * and reports what is wrong in the same form as every other failure. docs/reference/mcp.md#schemas
 */
export function inputSchemaOf(schema: z.ZodType): StandardSchemaWithJSON {
  return standardSchema(jsonSchemaOfInput(schema), (value) => ({ value }));
}

/**
 * The schema of a tool's result as clients see it: only types, because all tools of an agent must
 * fit into its context.
 */
export function outputSchemaOf(schema: z.ZodObject): StandardSchemaWithJSON {
  const json = jsonSchemaOf(schema, { io: 'output', noise: NOISE_IN_OUTPUT, metadata: z.registry() });
  return standardSchema(json, (value) => schema['~standard'].validate(value));
}

/** The JSON Schema of a value as clients send it, without references. */
export function jsonSchemaOfInput(schema: z.ZodType): Record<string, unknown> {
  return jsonSchemaOf(schema, { io: 'input', noise: NOISE_IN_INPUT, metadata: new Descriptions() });
}

function standardSchema(
  json: JsonSchema,
  validate: StandardSchemaWithJSON['~standard']['validate'],
): StandardSchemaWithJSON {
  const rendered = () => ({ ...json });
  return {
    '~standard': {
      version: 1,
      vendor: 'svcforms',
      validate,
      jsonSchema: { input: rendered, output: rendered },
    },
  };
}

function jsonSchemaOf(
  schema: z.ZodType,
  {
    io,
    noise,
    metadata,
  }: { io: 'input' | 'output'; noise: readonly string[]; metadata: z.core.$ZodRegistry },
): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    metadata: metadata as z.core.$ZodRegistry<Record<string, unknown>>,
    reused: 'inline',
    override({ zodSchema, jsonSchema }) {
      if (io === 'output' && OPAQUE_IN_OUTPUT.has(z.globalRegistry.get(zodSchema)?.id)) {
        for (const keyword of Object.keys(jsonSchema)) if (keyword !== 'type') delete jsonSchema[keyword];
      }
      // zod writes the limits of integers in JavaScript, which no caller asked for.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      for (const keyword of noise) delete jsonSchema[keyword];
      // What says nothing: any property may follow, and none is known.
      for (const keyword of ['properties', 'additionalProperties']) {
        if (isEmpty(jsonSchema[keyword])) delete jsonSchema[keyword];
      }
    },
  });
  return json;
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
