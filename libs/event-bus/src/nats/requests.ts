/** Requests that wait for a response, so that they can be rejected when the connection is lost. */
interface PendingRequests {
  /** Returns the result of the request. Rejects as soon as `rejectAll` runs. */
  add: <T>(request: Promise<T>) => Promise<T>;
  /** Rejects the pending requests now, before the client library does. */
  rejectAll: (createReason: () => Error) => void;
  /** Resolves when all requests that are pending at the time of the call have ended. */
  ended: () => Promise<unknown>;
}

export function createPendingRequests(): PendingRequests {
  const rejections = new Map<Promise<unknown>, (reason: Error) => void>();
  return {
    add: (request) =>
      new Promise((resolve, reject) => {
        rejections.set(request, reject);
        void request.then(resolve, reject).then(() => rejections.delete(request));
      }),
    rejectAll(createReason) {
      for (const reject of rejections.values()) reject(createReason());
      rejections.clear();
    },
    ended: () => Promise.allSettled(rejections.keys()),
  };
}
