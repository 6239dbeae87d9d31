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
/** The resource type, by id prefix. */
const ID_KINDS: Readonly<Record<string, string>> = {
  agt: 'agent',
  del: 'delivery',
  frm: 'form',
  grp: 'group',
  inb: 'inbound',
  inv: 'invitation',
  key: 'key',
  nad: 'notification_address',
  sub: 'submission',
  tsk: 'task',
  usr: 'user',
  whk: 'webhook',
};
/** The characters of an id that tell resources without names apart. */
const ID_END = 4;

/**
 * A change as a line of text: `Role: Reviewer → Admin`.
 * @param property the name in the API
 * @param nameOf the name of a user or key, by id
 * @param action the action of the entry
 */
export function changeText(
  property: string,
  { from, to }: Change,
  nameOf: (id: string) => string,
  action = '',
): string {
  const label = propertyLabel(property);
  const text = (value: unknown) => valueText(property, value, nameOf);
  // A new resource has no previous values.
  if (to === undefined) return CREATES.test(action) ? texts.setHidden(label) : texts.changed(label);
  if (property === 'url') return urlText(from as string | undefined, to as string);
  if (from === undefined || from === null) return texts.set(label, text(to));
  return texts.changedTo(label, text(from), text(to));
}

const CREATES = /\.(created|accepted)$/;

/** The API shows only the host of a URL, because the rest is often a credential. */
function urlText(from: string | undefined, to: string): string {
  if (from === undefined) return texts.urlSet(to);
  return from === to ? texts.urlChanged(to) : texts.hostChanged(from, to);
}

/**
 * What a person recognizes the target by: its name or what it belongs to. For a deleted target,
 * the end of the id.
 * @param resource the target as it is now
 */
export function targetText(
  { type, id, name }: AuditEntryOut['target'],
  resource: AuditEntryOut['resource'] = null,
): string {
  if (name !== null) return name;
  const kind = TARGETS[type] ?? words(type);
  if (id === null) return kind;
  if (type === 'delivery' && resource?.name) return texts.deliveryTo(resource.name);
  if (type === 'submission' && resource?.formName) return texts.submissionTo(resource.formName);
  if (type === 'task' && resource) return resource.name ?? inboxTexts.untitled;
  return resource?.name ?? texts.unnamed(kind, id.slice(-ID_END));
}

/** The form of a target that isn't named by its form. */
export function targetForm({ target: { type }, resource }: AuditEntryOut): string | undefined {
  return type === 'form' || type === 'submission' ? undefined : (resource?.formName ?? undefined);
}

/** The kind of a resource and the end of its id, for a resource without a known name. */
export function idText(id: string): string {
  const kind = ID_KINDS[id.slice(0, id.indexOf('_'))];
  return kind === undefined ? id : texts.unnamed(TARGETS[kind] ?? kind, id.slice(-ID_END));
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
