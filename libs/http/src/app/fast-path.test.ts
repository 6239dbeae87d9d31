import Koa from 'koa';
import { route } from '../routes/route.ts';
import { startTestHost } from '../../test/host.ts';

const hot = route({
  method: 'POST',
  path: '/api/echo/:word',
  summary: 'Echo',
  access: 'public',
  takesRawBody: true,
  isHot: true,
  status: 202,
  audit: null,
  handler: async ({ params, rawBody }) => ({ data: `${params.word} ${rawBody.toString()}` }),
});

describe('a hot route', () => {
  it.each([
    ['a plain request', 'POST', '/api/echo/a-B_9', 0, 202],
    ['one with a query', 'POST', '/api/echo/a?b', 1, 202],
    ['one with an encoded path', 'POST', '/api/echo/%61', 1, 202],
    ['one whose path ends with a slash', 'POST', '/api/echo/a/', 1, 202],
    ['another method', 'GET', '/api/echo/a', 1, 405],
    ['a longer path', 'POST', '/api/echo/a/b', 1, 404],
  ])('handles %s', async (_, method, path, contexts, status) => {
    const createContext = jest.spyOn(Koa.prototype, 'createContext');
    const host = await startTestHost({ routes: [hot] });
    const response = await fetch(host.url + path, { method, ...(method === 'POST' && { body: 'x' }) });
    expect({ status: response.status, contexts: createContext.mock.calls.length }).toEqual({
      status,
      contexts,
    });
    createContext.mockRestore();
    await host.stop();
  });
});
