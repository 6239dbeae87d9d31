import {
  AppError,
  exceededHeaderLimits,
  headerOut,
  validationFailed,
  type AccountWebhookPatch,
  type AuditChanges,
} from '@svcforms/contracts';
import {
  headersText,
  readHeadersText,
  webhookSecretContext,
  type HeaderValues,
  type WebhookHeaders,
  type WebhookRecord,
} from '@svcforms/records';
import type { Filter } from '@svcforms/document-store';
import type { SecretBox } from '@svcforms/signing';

/** The part of an update that changes the custom headers. */
interface HeadersUpdate {
  /** Matches while nobody else has changed the headers. */
  unchanged: Filter<WebhookRecord>;
  set: { headers?: WebhookHeaders };
  unset: 'headers'[];
  /** The names that were set, replaced or removed. The audit log never has values. */
  changes: AuditChanges;
}

/** Seals the custom headers of a webhook; `null` without any. */
export function sealHeaders(
  secretBox: Pick<SecretBox, 'seal'>,
  webhookId: string,
  values: HeaderValues = {},
): WebhookHeaders | null {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return {
    shown: entries.map(([name, value]) => headerOut(name, value)),
    sealed: secretBox.seal(headersText(values), webhookSecretContext(webhookId)),
  };
}

/** The names of headers for the audit log. */
export function headerChanges(from: readonly string[], to: readonly string[]): AuditChanges {
  const orNull = (names: readonly string[]) => (names.length === 0 ? null : names);
  return from.length + to.length === 0 ? {} : { headers: { from: orNull(from), to: orNull(to) } };
}

/**
 * Applies a patch to the custom headers of a webhook. A name replaces the same name in another
 * case. docs/reference/webhooks.md#custom-headers
 * @throws AppError `VALIDATION_FAILED` when there would be too many; `CONFLICT`
 */
export function updateHeaders(
  secretBox: SecretBox,
  { _id, headers }: Pick<WebhookRecord, '_id' | 'headers'>,
  patch: AccountWebhookPatch['headers'],
): HeadersUpdate {
  const none: HeadersUpdate = { unchanged: {}, set: {}, unset: [], changes: {} };
  if (patch === undefined) return none;
  const update = { ...none, unchanged: { 'headers.sealed': headers?.sealed ?? null } };
  if (patch === null) {
    const names = headers?.shown.map(({ name }) => name) ?? [];
    return { ...update, unset: ['headers'], changes: headerChanges(names, []) };
  }
  const before = headers ? openHeaders(secretBox, _id, headers, patch) : {};
  const { values, changes } = patchHeaders(before, patch);
  if (changes['headers'] === undefined) return update;
  const issues = exceededHeaderLimits(values).map((message) => ({
    pointer: '/headers',
    message: `${message}, with those that the webhook already has`,
  }));
  if (issues.length > 0) throw validationFailed(issues);
  const sealed = sealHeaders(secretBox, _id, values);
  return sealed
    ? { ...update, set: { headers: sealed }, changes }
    : { ...update, unset: ['headers'], changes };
}

/**
 * Decrypts the stored values. If no key does, a patch of all of them still works, as their values
 * don't matter then.
 * @throws AppError `CONFLICT`
 */
function openHeaders(
  secretBox: SecretBox,
  webhookId: string,
  { shown, sealed }: WebhookHeaders,
  patch: Readonly<Record<string, string | null>>,
): HeaderValues {
  try {
    return readHeadersText(secretBox.open(sealed, webhookSecretContext(webhookId)));
  } catch (error) {
    const patched = new Set(Object.keys(patch).map((name) => name.toLowerCase()));
    const left = shown.filter(({ name }) => !patched.has(name.toLowerCase()));
    if (left.length === 0) return Object.fromEntries(shown.map(({ name }) => [name, '']));
    const names = left.map(({ name }) => name).join(', ');
    throw new AppError(
      'CONFLICT',
      `The stored values can't be decrypted. Send a value or null for these headers, too: ${names}`,
      { cause: error },
    );
  }
}

function patchHeaders(
  before: HeaderValues,
  patch: Readonly<Record<string, string | null>>,
): { values: HeaderValues; changes: AuditChanges } {
  const kept = new Map(Object.entries(before).map((entry) => [entry[0].toLowerCase(), entry]));
  const [from, to]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(patch)) {
    const key = name.toLowerCase();
    const old = kept.get(key);
    if (old ? old[0] === name && old[1] === value : value === null) continue;
    if (old) from.push(old[0]);
    if (value === null) kept.delete(key);
    else {
      to.push(name);
      kept.set(key, [name, value]);
    }
  }
  return { values: Object.fromEntries(kept.values()), changes: headerChanges(from, to) };
}
