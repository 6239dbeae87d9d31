import { z } from 'zod';
import { idOut, timeOut } from '../api/schema-parts.ts';
import { isEmail } from '../api/text-formats.ts';

/** Why a submission is in quarantine. docs/reference/forms.md#quarantine */
export const QUARANTINE_REASONS = [
  'no_token',
  'expired_token',
  'reused_token',
  'too_fast',
  'no_proof',
  'blocked_address',
  'blocked_domain',
  'blocked_word',
  'blocked_network',
] as const;
export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

export const SUBMISSION_STATUSES = ['accepted', 'quarantined'] as const;

const MAX_ENTRIES = 1_000;
const MAX_ENTRY_LENGTH = 200;

/** What an entry of a block list is compared with. */
export type BlockKind = 'address' | 'domain' | 'word' | 'network';

const DOMAIN =
  /^(?=.{4,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{1,62}$/u;
const NETWORK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);
/**
 * Looks like an IP address or a network, valid or not: only digits and dots, or a colon between hex
 * digits.
 */
const LIKE_NETWORK = /^(?:\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*:[\da-f:.]*)(?:\/.*)?$/i;

/**
 * Says what an entry of a block list is. `@example.com` is a domain.
 * @returns undefined if the entry looks like an address or a network but isn't one
 */
export function blockKind(entry: string): BlockKind | undefined {
  if (LIKE_NETWORK.test(entry)) return NETWORK.safeParse(entry).success ? 'network' : undefined;
  if (entry.startsWith('@')) return DOMAIN.test(entry.slice(1)) ? 'domain' : undefined;
  if (/^\S+@\S+$/.test(entry)) return isEmail(entry) ? 'address' : undefined;
  return DOMAIN.test(entry) ? 'domain' : 'word';
}

const BlockEntry = z
  .string()
  .trim()
  .min(1)
  .max(MAX_ENTRY_LENGTH)
  .refine(
    (entry) => blockKind(entry) !== undefined,
    'must be an email address, a domain, a word or phrase, an IP address, or a network such as 203.0.113.0/24',
  );

/** Settings of the spam protection. See docs/reference/forms.md#spam-protection. */
export const SpamSettings = z
  .strictObject({
    isEnabled: z.boolean().meta({
      description: 'Whether suspicious submissions of visitors go to quarantine.',
      example: true,
    }),
    blockList: z
      .array(BlockEntry)
      .max(MAX_ENTRIES)
      .meta({
        description:
          'Email addresses, domains with their subdomains, words or phrases, IP addresses and networks. Submissions that contain one of them, or come from such a network, go to quarantine.',
        example: ['spam@example.com', 'casino.example', 'cheap pills', '203.0.113.0/24'],
      })
      .optional(),
  })
  .meta({ id: 'SpamSettings', description: 'Spam protection of a form. Default: off.' });
export type SpamSettings = z.output<typeof SpamSettings>;

/** A proof of work: find the number for which `sha256(salt + number)`, in hex, is `challenge`. */
const ProofChallenge = z
  .object({
    algorithm: z.literal('SHA-256').meta({ description: 'Hash function.', example: 'SHA-256' }),
    challenge: z.string().meta({ description: 'Hash to find, in hex.', example: 'b1f4…' }),
    maxnumber: z.int().meta({ description: 'The number is at most this.', example: 50_000 }),
    salt: z.string().meta({ description: 'Text before the number.', example: '5a1c2d3e4f5a6b7c8d9e0f1a&' }),
    signature: z.string().meta({ description: 'Signature of the challenge, in hex.', example: '9c0e…' }),
  })
  .meta({ id: 'ProofChallenge', description: 'A challenge for a proof of work, as Altcha defines it.' });
export type ProofChallenge = z.output<typeof ProofChallenge>;

/** Response data of the public GET of a token. See docs/reference/forms.md#submission-tokens. */
export const SubmissionTokenOut = z
  .object({
    formId: idOut('frm', 'Form that the token is for.'),
    token: z.string().meta({ description: 'Send it as `token` with one submission.', example: 'v1.…' }),
    expiresAt: timeOut('When the token expires.'),
    minFillMs: z.int().meta({
      description: 'A submission that follows in fewer milliseconds needs a proof.',
      example: 5_000,
    }),
    isProofRequired: z.boolean().meta({
      description: 'Whether the submission needs a proof in any case.',
      example: false,
    }),
    proof: ProofChallenge,
  })
  .meta({ id: 'SubmissionToken', description: 'A token for one submission of a form.' });
export type SubmissionTokenOut = z.output<typeof SubmissionTokenOut>;
