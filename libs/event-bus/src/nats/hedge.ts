const HEDGE_EVERY_MS = 1_000;

/**
 * Returns the first result of a request that only reads, repeating it each second while it has no
 * response: a cluster that elects a leader never responds to earlier requests. Rejects as the first
 * request does.
 */
export function hedged<T>(request: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const repeating = setInterval(() => {
      request().then(
        (result) => {
          clearInterval(repeating);
          resolve(result);
        },
        () => {},
      );
    }, HEDGE_EVERY_MS);
    request()
      .then(resolve, reject)
      .finally(() => clearInterval(repeating));
  });
}
