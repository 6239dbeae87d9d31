import type { AnyDocument, Collection, CollectionSpec, DocumentStore, StoredDocument } from '../src/index.ts';

type Find = Collection<AnyDocument>['find'];

/**
 * The store itself, except that `onFind` sees each `find` of one collection: it calls `find` to read the documents, and may wait
 * before.
 */
export function watchFinds(
  store: DocumentStore,
  { name: watched }: Pick<CollectionSpec<StoredDocument>, 'name'>,
  onFind: (filter: object, find: () => Promise<AnyDocument[]>) => Promise<AnyDocument[]>,
): DocumentStore {
  const collection: DocumentStore['collection'] = (spec) => {
    const found = store.collection(spec);
    if (spec.name !== watched) return found;
    return new Proxy(found, {
      get: (target, name) =>
        name === 'find'
          ? (...query: Parameters<Find>) => onFind(query[0], () => (target.find as Find)(...query))
          : memberOf(target, name),
    });
  };
  return new Proxy(store, {
    get: (target, name) => (name === 'collection' ? collection : memberOf(target, name)),
  });
}

/** A member of the real object; its methods keep it as `this`. */
export function memberOf(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name);
  return typeof member === 'function' ? member.bind(target) : member;
}
