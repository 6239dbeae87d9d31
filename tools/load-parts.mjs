// What the tools that load a product have in common: senders, a listener, and figures of what was measured.
import { createServer, request } from 'node:http';

/** A listener that counts what comes, and answers at once. */
export async function startCounter() {
  let count = 0;
  const server = createServer((message, answer) => {
    message.resume().on('end', () => {
      count += 1;
      answer.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    count: () => count,
    close: () => server.close(),
  };
}

/** Posts JSON text on a connection of the agent's; rejects where the answer has another status than `expected`. */
export function send(url, { agent, headers, body, expected }) {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } })
      .on('error', reject)
      .on('response', (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode === expected) resolve();
          else reject(new Error(`a submission was answered with ${answer.statusCode}`));
        });
      })
      .end(body);
  });
}

/** The upper one of two in the middle. */
export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
