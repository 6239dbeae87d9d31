import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { hasSearch, searchText, strictSearch } from './strict-search.ts';

/** The search parameters that the router gives to a screen below `/list`. */
function searchAt(path: string): unknown {
  const rootRoute = createRootRoute();
  const listRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/list',
    validateSearch: strictSearch(({ from }): { from?: string } =>
      typeof from === 'string' && /^\d{4}$/.test(from) ? { from } : {},
    ),
  });
  const entryRoute = createRoute({ getParentRoute: () => listRoute, path: '$id' });
  const router = createRouter({
    routeTree: rootRoute.addChildren([listRoute.addChildren([entryRoute])]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  return router.matchRoutes(router.latestLocation).at(-1)?.search;
}

describe('the search parameters of a screen', () => {
  it.each([
    ['/list?from="2026"', { from: '2026' }],
    ['/list?from=soon', {}],
    ['/list?from="2026"&other=1', { from: '2026' }],
    ['/list/7?from=soon', {}],
  ])('%s has %j', (path, expected) => {
    expect(searchAt(path)).toEqual(expected);
  });

  it.each([
    ['word', 'word'],
    [123, '123'],
    [true, 'true'],
    [{ q: 1 }, ''],
    [undefined, ''],
  ])('reads the value %j as the text %j', (value, text) => {
    expect(searchText(value)).toBe(text);
  });

  it('counts as absent if all are rejected', () => {
    const read = strictSearch(() => ({}));
    expect(hasSearch(read({ from: 'soon' }))).toBe(false);
    expect(hasSearch({ from: '2026' })).toBe(true);
  });
});
