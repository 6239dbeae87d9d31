import { z } from 'zod';
import { idOut, refuseProtoKey, timeOut } from '../api/schema-parts.ts';

/** Maximum size of an action's arguments as JSON. */
const MAX_ARGS_BYTES = 64 * 1024;

const utf8 = new TextEncoder();

type Path = (string | number)[];

/**
 * The first value that has no canonical form under RFC 8785, which needs I-JSON (RFC 7493): text
 * must be Unicode, and a whole number must survive the reading of JSON in every language.
 */
function findUncanonical(value: unknown, path: Path): { path: Path; message: string } | undefined {
  if (typeof value === 'string' && !isWellFormed(value))
    return { path, message: 'must not contain an unpaired surrogate' };
  // Numbers that are too large for a double are read as infinite here, and as an error elsewhere.
  const isWhole = typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value));
  if (isWhole && !Number.isSafeInteger(value))
    return { path, message: 'must be at most 2^53 - 1 in size; send a larger number as text' };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (!isWellFormed(key)) return { path, message: 'must not have a name with an unpaired surrogate' };
    const found = findUncanonical(member, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return undefined;
}

/** With the flag `u`, a surrogate only matches where it is unpaired. */
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

const tool = z
  .string()
  .min(1)
  .max(200)
  .refine(isWellFormed, 'must not contain an unpaired surrogate')
  .meta({ description: 'Name of the tool or function to run.', example: 'refund_payment' });
const args = z
  .preprocess(
    refuseProtoKey,
    z.record(z.string(), z.unknown()).superRefine((value, context) => {
      const found = findUncanonical(value, []);
      if (found) context.addIssue({ code: 'custom', ...found });
      if (utf8.encode(JSON.stringify(value)).length > MAX_ARGS_BYTES)
        context.addIssue({ code: 'custom', message: `must have at most ${MAX_ARGS_BYTES} bytes as JSON` });
    }),
  )
  .meta({
    description: 'Arguments to run it with, at most 64 KiB.',
    example: { payment: 'pay_4711', amount: 120 },
  });

/** The action that a task asks a person to approve. docs/reference/tasks.md#actions-and-receipts */
export const TaskAction = z.strictObject({ tool, args }).meta({
  description: 'What runs after the approval. The reviewer sees it, and the receipt is bound to it.',
});
export type TaskAction = z.output<typeof TaskAction>;

const receipt = z.string().meta({
  description: 'The receipt of the approved task (EdDSA JWT).',
  example:
    'eyJhbGciOiJFZERTQSIsImtpZCI6Ijg1YmEifQ.eyJzdWIiOiJ0c2tfMDFKOVpDM1Y2TThLMlE0UjVTN1Q5VzFYM1kifQ.c2ln',
});

/** Request body of POST /api/mcp/receipts/redeem. */
export const RedeemIn = z
  .strictObject({
    receipt: receipt.max(16_384),
    args: args.meta({ description: 'Arguments that are about to run.' }),
  })
  .meta({ id: 'RedeemIn', description: 'A receipt to redeem before its action runs.' });
export type RedeemIn = z.output<typeof RedeemIn>;

const actionDigest = z.string().meta({
  description: '`sha-256:` and the SHA-256 of the action as canonical JSON (RFC 8785) in base64url.',
  example: 'sha-256:z9nDKCCOhJyyFLlBOGCNsOcMIUjM1-Hm4mHpJ5yfG6s',
});

/** The parts of a task in responses that concern its action. */
export const taskActionOut = {
  action: TaskAction.optional(),
  actionDigest: actionDigest.optional(),
  receipt: receipt.optional(),
  receiptRedeemedAt: timeOut('When the receipt was redeemed.').optional(),
};

/** Response of POST /api/mcp/receipts/redeem. */
export const RedeemedOut = z
  .object({
    taskId: idOut('tsk', 'Id of the task.'),
    tool,
    actionDigest,
    approvedBy: z.array(z.string()).meta({
      description: 'API keys or users that approved the task.',
      example: ['usr_01J9ZC3V6M8K2Q4R5S7T9W1X3Y'],
    }),
    approvedAt: timeOut('When the task was approved.'),
    redeemedAt: timeOut('When the receipt was redeemed.'),
  })
  .meta({ id: 'RedeemedReceipt', description: 'A redeemed receipt.' });
export type RedeemedOut = z.output<typeof RedeemedOut>;
