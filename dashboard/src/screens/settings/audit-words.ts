import type { AuditEntryOut } from '@svcforms/contracts';
import { exactTime } from '../../components/time-format.ts';
import { inboxTexts } from '../../texts/inbox.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { shellTexts } from '../../texts/shell.ts';

const texts = settingsTexts.audit;
type Change = AuditEntryOut['changes'][string];

const PROPERTIES: Readonly<Record<string, string>> = texts.properties;
const TARGETS: Readonly<Record<string, string>> = texts.targets;
const VALUES: Readonly<Record<string, string>> = {
  ...shellTexts.roles,
  ...inboxTexts.statuses,
  ...settingsTexts.account.plans,
};
/** Properties whose text is a name that somebody chose, so it must not be replaced. */
const FREE_TEXTS: readonly string[] = ['name', 'description', 'email', 'host', 'url', 'slackChannel'];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** The characters of an id that tell resources without names apart. */
const ID_END = 4;

/**
 * A change as a line of text: `Role: Reviewer → Admin`.
 * @param property the name in the API
 * @param nameOf the name of a user or key, by id
 */
export function changeText(property: string, { from, to }: Change, nameOf: (id: string) => string): string {
  const label = propertyLabel(property);
  const text = (value: unknown) => valueText(property, value, nameOf);
  if (to === undefined) return texts.changed(label);
  if (from === undefined || from === null) return texts.set(label, text(to));
  return texts.changedTo(label, text(from), text(to));
}

/** The name of the target, or what it is and the end of its id. */
export function targetText({ type, id, name }: AuditEntryOut['target']): string {
  if (name !== null) return name;
  const kind = TARGETS[type] ?? words(type);
  return id === null ? kind : texts.unnamed(kind, id.slice(-ID_END));
}

const propertyLabel = (property: string) =>
  PROPERTIES[property] ?? words(property.replace(/^settings\./, ''));

/** `isPublicKeySigned` as `Is public key signed`. */
function words(name: string): string {
  const spaced = name
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function valueText(property: string, value: unknown, nameOf: (id: string) => string): string {
  if (value === null) return texts.none;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (Array.isArray(value)) {
    return property === 'forms'
      ? texts.formCount(value.length)
      : value.map((one) => valueText(property, one, nameOf)).join(', ') || texts.none;
  }
  if (typeof value !== 'string') return JSON.stringify(value);
  if (FREE_TEXTS.includes(property)) return value;
  if (/^(usr|key)_/.test(value)) return nameOf(value);
  return TIME.test(value) ? exactTime(value) : (VALUES[value] ?? value);
}
