/**
 * Greater than every account id. With a bound on both sides, SQLite searches the accounts in order;
 * otherwise it sorts everything that is due each time.
 */
const LAST = '\uffff';

/**
 * Returns a function that leases work of the next account, so that no account waits for all work of
 * another. `lease` leases due work of the account that comes first by id.
 */
export function createAccountTurns<T extends { accountId: string }>(
  lease: (of: { accountId: { $gt: string; $lt: string } }) => Promise<T | null>,
): () => Promise<T | null> {
  /** The account whose turn was last. */
  let lastAccountId = '';
  return async () => {
    const leased =
      (await lease({ accountId: { $gt: lastAccountId, $lt: LAST } })) ??
      (await lease({ accountId: { $gt: '', $lt: LAST } }));
    if (leased) lastAccountId = leased.accountId;
    return leased;
  };
}
