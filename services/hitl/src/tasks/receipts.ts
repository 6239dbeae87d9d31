import { AppError, type RedeemedOut, type RedeemIn } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { TaskRecord } from '@svcforms/records';
import type { ReceiptClaims, ReceiptKeys } from '@svcforms/signing';
import { canonicalAction, digestOfAction } from './action.ts';
import type { Actor } from './actor.ts';
import { historyEntry } from './history.ts';

/** How long an approved action may wait to run. docs/reference/tasks.md#actions-and-receipts */
const LIFETIME_SECONDS = 24 * 60 * 60;

interface ReceiptsDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOne' | 'findOneAndUpdate'>;
  keys: ReceiptKeys;
  /** The public origin of the installation. */
  baseUrl: string;
  now: Clock;
}

export interface Receipts {
  /**
   * Returns the receipt of a task with an action that these users or API keys approve now; else
   * `undefined`.
   */
  issue(task: TaskRecord, approvedBy: readonly string[]): string | undefined;
  /**
   * Redeems a receipt for the arguments that are about to run. Of any number of concurrent
   * requests, one succeeds.
   * @param redemptionId the same for each repetition of a request, whose response may have been
   * lost
   * @throws AppError `INVALID_RECEIPT`, `ACTION_CHANGED`, `RECEIPT_EXPIRED`, `RECEIPT_REDEEMED`
   */
  redeem(actor: Actor, input: RedeemIn, redemptionId: string): Promise<RedeemedOut>;
}

/**
 * Issues and redeems the receipts of approved actions. docs/reference/tasks.md#actions-and-receipts
 */
export function createReceipts({ tasks, keys, baseUrl, now }: ReceiptsDeps): Receipts {
  function readReceipt({ accountId }: Actor, receipt: string): ReceiptClaims {
    const claims = keys.read(receipt);
    if (!claims || claims.aud !== accountId || claims.iss !== baseUrl) throw invalidReceipt();
    return claims;
  }

  return {
    issue(task, approvedBy) {
      if (task.action === undefined || task.actionDigest === undefined) return undefined;
      const { tool } = JSON.parse(task.action) as { tool: string };
      const iat = Math.floor(now() / 1000);
      return keys.sign({
        iss: baseUrl,
        aud: task.accountId,
        sub: task._id,
        tool,
        actionDigest: task.actionDigest,
        approvedBy,
        iat,
        exp: iat + LIFETIME_SECONDS,
      });
    },

    async redeem(actor, { receipt, args }, redemptionId) {
      const { sub: taskId, tool, actionDigest, exp, ...claims } = readReceipt(actor, receipt);
      if (digestOfAction(canonicalAction({ tool, args })) !== actionDigest) throw actionChanged(tool);
      const at = isoTime(now());
      const isExpired = now() >= exp * 1000;
      const ofReceipt = { _id: taskId, accountId: actor.accountId, receipt } as const;
      const redeemed = isExpired
        ? null
        : await tasks.findOneAndUpdate(
            { ...ofReceipt, receiptRedeemedAt: { $exists: false } },
            {
              $set: { receiptRedeemedAt: at, redemptionId },
              $push: { history: historyEntry({ at, event: 'redeemed', by: actor.by }) },
            },
          );
      const task = redeemed ?? (await tasks.findOne(ofReceipt));
      if (!task) throw invalidReceipt();
      const { receiptRedeemedAt: redeemedAt, settledAt: approvedAt = at } = task;
      if (redeemedAt === undefined) throw expired(exp);
      if (task.redemptionId !== redemptionId) throw alreadyRedeemed(redeemedAt);
      return { taskId, tool, actionDigest, approvedBy: [...claims.approvedBy], approvedAt, redeemedAt };
    },
  };
}

const invalidReceipt = () =>
  new AppError('INVALID_RECEIPT', 'This is not the receipt of an approved task of this account', {
    issues: [{ pointer: '/receipt', message: 'is not the receipt of an approved task of this account' }],
  });

const actionChanged = (tool: string) =>
  new AppError('ACTION_CHANGED', `These are not the arguments that were approved for ${tool}`, {
    issues: [{ pointer: '/args', message: 'are not the approved ones' }],
  });

function expired(exp: number): AppError {
  const message = `expired at ${isoTime(exp * 1000)}`;
  return new AppError('RECEIPT_EXPIRED', `The receipt ${message}; ask for a new approval`, {
    issues: [{ pointer: '/receipt', message }],
  });
}

const alreadyRedeemed = (redeemedAt: string) =>
  new AppError('RECEIPT_REDEEMED', `The receipt was redeemed at ${redeemedAt}`, { members: { redeemedAt } });
