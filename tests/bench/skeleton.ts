// The reference of npm run bench: the I/O of one delivered submission and nothing else, in one
// process. It accepts a POST with a token, commits three rows (submission, event, delivery) in
// batches, signs the webhook, sends it, and writes two log lines. It has no validation, no retries,
// no isolation between webhooks, and forgets what it had to send when it ends.
import Libsql from 'libsql';
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { fdatasync, openSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import pino from 'pino';
import { Agent, request } from 'undici';
import type { SkeletonOptions } from './messages.ts';

const { dataFolder, token, secret, endpointUrl } = JSON.parse(process.argv[2] ?? '{}') as SkeletonOptions;
const tokenHash = hashOf(token);
const log = pino();
const agent = new Agent({ connections: 32 });
const write = openDatabase(join(dataFolder, 'skeleton.db'));

const server = createServer((message, response) => {
  accept(message, response).catch((error: unknown) => {
    log.error(error);
    response.writeHead(500).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});

async function accept(message: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now();
  const given = message.headers.authorization?.slice('Bearer '.length) ?? '';
  if (!timingSafeEqual(hashOf(given), tokenHash)) {
    response.writeHead(401).end();
    return;
  }
  const data = JSON.parse(await text(message)) as object;
  const submissionId = randomUUID();
  const timestamp = new Date().toISOString();
  const event = { eventType: 'form.submission.new', submissionId, timestamp, data };
  const body = JSON.stringify(event);
  await write([
    ['submissions', submissionId, JSON.stringify({ submissionId, timestamp, data })],
    ['events', randomUUID(), body],
  ]);
  response
    .writeHead(202, { 'content-type': 'application/json' })
    .end(JSON.stringify({ success: true, data: { submissionId } }));
  log.info({ submissionId, status: 202, durationMs: performance.now() - startedAt }, 'submission accepted');
  if (endpointUrl !== undefined) await deliver(endpointUrl, submissionId, body);
}

async function deliver(url: string, submissionId: string, body: string): Promise<void> {
  const startedAt = performance.now();
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const deliveryId = randomUUID();
  const response = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      'svc-signature': `t=${timestamp},v1=${signature}`,
      'svc-event-id': deliveryId,
    },
    body,
  });
  await response.body.dump();
  const delivery = { deliveryId, submissionId, status: response.statusCode, body };
  await write([['deliveries', deliveryId, JSON.stringify(delivery)]]);
  const durationMs = performance.now() - startedAt;
  log.info({ deliveryId, status: response.statusCode, durationMs }, 'webhook delivered');
}

function hashOf(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

type Row = readonly [table: string, id: string, json: string];

/**
 * Returns a function that resolves when its rows are on the disk; rows that wait for the disk share
 * the next commit.
 */
function openDatabase(path: string): (rows: readonly Row[]) => Promise<void> {
  const database = new Libsql(path);
  // As the embedded store of the product.
  for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'wal_autocheckpoint = 16384'])
    database.exec(`PRAGMA ${pragma}`);
  const inserts = new Map<string, Libsql.Statement>();
  for (const table of ['submissions', 'events', 'deliveries']) {
    database.exec(`CREATE TABLE ${table} (id TEXT PRIMARY KEY, json TEXT NOT NULL)`);
    inserts.set(table, database.prepare(`INSERT INTO ${table} (id, json) VALUES (?, ?)`));
  }
  const walFile = openSync(`${path}-wal`, 'r+');
  const sync = promisify(fdatasync);
  let batch: { rows: readonly Row[]; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let isCommitting = false;

  async function commit(): Promise<void> {
    isCommitting = true;
    while (batch.length > 0) {
      const writes = batch;
      batch = [];
      try {
        database.exec('BEGIN IMMEDIATE');
        for (const { rows } of writes) {
          for (const [table, id, json] of rows) inserts.get(table)?.run(id, json);
        }
        database.exec('COMMIT');
        await sync(walFile);
        for (const { resolve } of writes) resolve();
      } catch (error) {
        for (const { reject } of writes) reject(error);
      }
    }
    isCommitting = false;
  }

  process.once('SIGTERM', () => {
    // Folds the write-ahead log into the file.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    process.exit();
  });
  return (rows) =>
    new Promise((resolve, reject) => {
      batch.push({ rows, resolve, reject });
      if (!isCommitting) {
        isCommitting = true;
        setImmediate(() => void commit());
      }
    });
}
