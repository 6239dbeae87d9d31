import type { DocumentStore, StoredDocument, CollectionSpec } from '../src/index.ts';

/** A method of a collection. */
type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * The store itself, except that `replace` may put another implementation in place of each method of
 * its collections. It returns the method itself to leave it alone.
 */
export function interceptCalls(
  real: DocumentStore,
  replace: (call: Call, at: { collection: string; method: string }) => Call,
): DocumentStore {
  const collection = <T extends StoredDocument>(spec: CollectionSpec<T>) =>
    new Proxy(real.collection<T>(spec), {
      get(target, method) {
        const member = memberOf(target, method);
        if (typeof member !== 'function') return member;
        return replace(member as Call, { collection: spec.name, method: String(method) });
      },
    });
  return new Proxy(real, {
    get: (target, name) => (name === 'collection' ? collection : memberOf(target, name)),
  });
}

/** A member of the real object; its methods keep it as `this`. */
function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === 'function' ? member.bind(target) : member;
}
