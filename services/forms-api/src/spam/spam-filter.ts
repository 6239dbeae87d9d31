import type { FormField, QuarantineReason, SpamSettings, SubmissionIn } from '@svcforms/contracts';
import { hasScope, type Caller } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import type { SecretBox } from '@svcforms/signing';
import { blockListOf } from './block-list.ts';
import { judge } from './judge.ts';
import { provesWork, readToken } from './tokens.ts';

/** Where a submission goes, and the token that it uses up. */
export interface Verdict {
  /** `undefined` if the submission is accepted. */
  quarantineReason?: QuarantineReason | undefined;
  tokenId?: string | undefined;
}

interface Submitted {
  formId: string;
  accountId: string;
  /** The `Authorization` header. */
  authorization: string | undefined;
  fields: readonly FormField[];
  values: Readonly<Record<string, unknown>>;
  body: Pick<SubmissionIn, 'token' | 'proof' | 'elapsedMs'>;
  ip: string;
}

interface SpamFilterDeps {
  secretBox: Pick<SecretBox, 'open'>;
  /** Returns the caller of an API key, `null` for an invalid one. */
  authenticate: (key: string) => Promise<Caller | null>;
  now: Clock;
}

/**
 * Judges the submissions of forms that have spam protection.
 * docs/reference/forms.md#spam-protection
 */
export function createSpamFilter({ secretBox, authenticate, now }: SpamFilterDeps) {
  /**
   * Whether a program of the account submits. The route is public, so an invalid key isn't refused.
   */
  async function isOwn({ accountId, authorization = '' }: Submitted): Promise<boolean> {
    const [, key] = /^Bearer +(svc_key_\S+) *$/i.exec(authorization) ?? [];
    const caller = key === undefined ? null : await authenticate(key);
    return caller?.accountId === accountId && hasScope(caller, 'submissions:write');
  }

  return async function judgeSubmission({ blockList }: SpamSettings, submitted: Submitted): Promise<Verdict> {
    const { formId, fields, values, body, ip } = submitted;
    if (await isOwn(submitted)) return {};
    if (blockList && blockList.length > 0) {
      // Nearly all submissions have the same text there, and it is ours.
      const skipped = new Set(fields.filter(({ type }) => type === 'consent').map(({ name }) => name));
      const blocked = await blockListOf(blockList)({ values, skipped, ip });
      if (blocked) return { quarantineReason: blocked };
    }
    const token = readToken(secretBox, formId, body.token);
    const isProved = token !== undefined && (await provesWork(token, body.proof));
    const quarantineReason = judge({ token, isProved, elapsedMs: body.elapsedMs, now: now() });
    return quarantineReason ? { quarantineReason } : { tokenId: token?.id };
  };
}

export type JudgeSubmission = ReturnType<typeof createSpamFilter>;
