/**
 * Writes, then announces it: after a rejected write too, because it may have been stored.
 * `changes`: whether the result says that documents have changed.
 *
 * @param announce null: there is nothing to announce
 */
export async function announceAfter<R>(
  write: () => Promise<R>,
  announce: (() => void | Promise<void>) | null,
  changes: (result: R) => boolean = () => true,
): Promise<R> {
  let isChanged = true;
  try {
    const result = await write();
    isChanged = changes(result);
    return result;
  } finally {
    if (announce && isChanged) await announce();
  }
}
