import { request } from 'node:http';

/**
 * Sends the head of a POST and waits until the server has it; `finish` sends the body and resolves
 * with the status of the response.
 */
export function beginPost(
  url: string,
  options: { headers: Readonly<Record<string, string>>; body: object },
): Promise<{ finish(): Promise<{ status: number; text: string }> }> {
  const body = JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const headers = {
      ...options.headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    };
    const sent = request(url, { method: 'POST', headers });
    const responded = new Promise<{ status: number; text: string }>((done, fail) => {
      sent.on('error', fail);
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => done({ status: response.statusCode ?? 0, text }));
      });
    });
    responded.catch(reject);
    sent.on('continue', () =>
      resolve({
        finish() {
          sent.end(body);
          return responded;
        },
      }),
    );
    sent.flushHeaders();
  });
}
