import { FormField, FormSettingsIn } from '@svcforms/contracts';
import { jsonSchemaOfInput } from './tool-schema.ts';

type Settings = typeof FormSettingsIn.shape;

const settingNames = Object.keys(FormSettingsIn.shape) as (keyof Settings)[];

/** The parts of a form whose format can be read: the fields, and each of the settings. */
export const FORMAT_PARTS = ['fields', ...settingNames] as const;

/**
 * The JSON Schema of an entry of `fields`, or of a setting. The whole form would fill the context
 * of a model.
 */
export function formatOf(part: (typeof FORMAT_PARTS)[number]): Record<string, unknown> {
  return jsonSchemaOfInput(part === 'fields' ? FormField : FormSettingsIn.shape[part]);
}
