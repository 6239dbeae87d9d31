type Close = () => void | Promise<void>;

export interface Closer {
  /** Adds `resource` to what `close` closes, and returns it. */
  add<T extends { close: Close }>(resource: T): T;
  /** Closes everything, the last resource first. */
  close: () => Promise<void>;
}

/**
 * Collects the resources of a process, so that each is closed before those that it was built on.
 */
export function createCloser(): Closer {
  const resources: { close: Close }[] = [];
  return {
    add(resource) {
      resources.push(resource);
      return resource;
    },
    async close() {
      for (const resource of resources.toReversed()) await resource.close();
    },
  };
}
