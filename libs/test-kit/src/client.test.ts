import { createClient } from './client.ts';
import { startWebhookEndpoint, type EndpointResponse } from './webhook-endpoint.ts';

const serve = (response: EndpointResponse) => startWebhookEndpoint({ respond: () => response });

describe('createClient', () => {
  it('sends JSON with its token and parses the JSON response', async () => {
    const { url, requests } = await serve({
      status: 201,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
      body: '{"data":[1]}',
    });
    const response = await createClient({ baseUrl: url, token: 'a token' }).put('/x', {
      body: { b: 1 },
      expect: 201,
    });
    expect(response.body).toEqual({ data: [1] });
    expect(requests[0]).toMatchObject({
      method: 'PUT',
      rawBody: Buffer.from('{"b":1}'),
      headers: { authorization: 'Bearer a token', 'content-type': 'application/json' },
    });
  });

  it('sends raw bytes unchanged and omits headers set to undefined', async () => {
    const { url, requests } = await serve({});
    const headers = { Authorization: undefined, 'Content-Type': undefined, 'X-Own': 'own' };
    const response = await createClient({ baseUrl: url, token: 'a token' }).post('/x', {
      rawBody: ' {',
      headers,
    });
    expect(response.body).toBeUndefined();
    expect(requests[0]?.rawBody.toString()).toBe(' {');
    expect(requests[0]?.headers).toMatchObject({ 'x-own': 'own' });
    expect(requests[0]?.headers).not.toHaveProperty('authorization');
    expect(requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('throws the response when its status is not the expected one', async () => {
    const { url } = await serve({ status: 404, body: 'nothing here' });
    const call = createClient({ baseUrl: url }).get('/x/y', { expect: 200 });
    await expect(call).rejects.toThrow('GET /x/y returned 404, expected 200: nothing here');
  });
});
