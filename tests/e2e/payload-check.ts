import { eventTypesOut } from '@svcforms/contracts';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ allErrors: true, strict: true });
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>(
  eventTypesOut().map(({ type, schema }) => [type, ajv.compile(closed(schema) as object)]),
);

/**
 * Refuses properties that the schema doesn't describe, in all objects with described properties.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in schema ? { ...members, additionalProperties: false } : members;
}

/**
 * Returns what is wrong with the payload of a webhook by the catalog of events; `null` if nothing
 * is.
 */
export function payloadError(payload: { eventType?: string }): string | null {
  const validate = validators.get(payload.eventType ?? '');
  if (!validate) return `the catalog has no event type ${payload.eventType}`;
  if (validate(payload) as boolean) return null;
  return `${payload.eventType}: ${ajv.errorsText(validate.errors)}`;
}
