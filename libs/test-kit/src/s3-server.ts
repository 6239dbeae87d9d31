import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { atEnd } from './at-end.ts';

/** What a client did, by the name of the operation in the API of S3. */
interface S3Request {
  operation: string;
  key: string;
}

/**
 * How the store fails a request: an error of S3, or a connection that ends, before the response or
 * in the middle of an object.
 */
type S3Failure = { status: number; code: string } | 'reset' | 'cut';

export interface S3Server {
  url: string;
  bucket: string;
  /** The settings of the product for this store. */
  env: Record<string, string>;
  /** The stored objects by key. Tests may change them. */
  objects: Map<string, Buffer>;
  /** All requests with a valid signature so far. */
  requests: readonly S3Request[];
  /** The number of multipart uploads that were neither completed nor aborted. */
  openUploads(): number;
  close(): Promise<void>;
}

interface S3Options {
  fail?: (request: S3Request, nth: number) => S3Failure | undefined;
  /** The maximum number of keys in a page of a list. */
  pageSize?: number;
}

/** The minimum size of every part but the last. */
const MIN_PART_BYTES = 5 * 1024 ** 2;
const MAX_CLOCK_SKEW_MS = 15 * 60_000;
const REGION = 'eu-test-1';

class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const internalError = (error: unknown) => new S3Error(500, 'InternalError', String(error));

interface Call extends S3Request {
  query: URLSearchParams;
  body: Buffer;
}

/**
 * Starts an S3-compatible store with one bucket in memory. Like the real ones, it checks the
 * signature (Signature Version 4), the hash of the content, the size and the ETags of parts, and it
 * shows an object only when its upload is complete.
 */
export async function startS3Server({ fail, pageSize = 1_000 }: S3Options = {}): Promise<S3Server> {
  const bucket = 'test-backups';
  const [accessKeyId, secret] = ['TESTKEY0123456789', `${randomUUID()}/+${randomUUID()}`];
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const requests: S3Request[] = [];

  const operations = createOperations({ bucket, objects, uploads, pageSize });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    checkSignature(request, body, { accessKeyId, secret });
    const url = new URL(request.url ?? '', 'http://store');
    const [, name = '', ...path] = url.pathname.split('/');
    if (name !== bucket) throw new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const key = decodeURIComponent(path.join('/'));
    const operation = operationOf(request.method ?? '', key, url.searchParams);
    requests.push({ operation, key });
    const failure = fail?.(
      { operation, key },
      requests.filter((each) => each.operation === operation).length,
    );
    if (failure === 'reset') request.socket.destroy();
    else if (failure === 'cut') {
      const body = objects.get(key) ?? Buffer.alloc(0);
      response.writeHead(200, { 'content-length': body.length, etag: etagOf(body) });
      response.write(body.subarray(0, -20), () => request.socket.destroy());
    } else if (failure) throw new S3Error(failure.status, failure.code, 'The test refuses it');
    else operations[operation]?.({ operation, key, query: url.searchParams, body }, response);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const { status, code, message } = error instanceof S3Error ? error : internalError(error);
      const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(request.method === 'HEAD' ? undefined : text);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  atEnd(close);
  return {
    url,
    bucket,
    env: {
      SVC_BACKUP_S3_BUCKET: bucket,
      SVC_BACKUP_S3_ENDPOINT: url,
      SVC_BACKUP_S3_REGION: REGION,
      SVC_BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
      SVC_BACKUP_S3_SECRET_ACCESS_KEY: secret,
    },
    objects,
    requests,
    openUploads: () => uploads.size,
    close,
  };
}

interface Contents {
  bucket: string;
  objects: Map<string, Buffer>;
  /** The parts of each upload, by number. */
  uploads: Map<string, Map<number, Buffer>>;
  pageSize: number;
}

/** The operations by name, with their responses. */
function createOperations({
  bucket,
  objects,
  uploads,
  pageSize,
}: Contents): Readonly<Record<string, (call: Call, response: ServerResponse) => void>> {
  function uploadOf({ query }: Call): { id: string; parts: Map<number, Buffer> } {
    const id = query.get('uploadId') ?? '';
    const parts = uploads.get(id);
    if (!parts) throw new S3Error(404, 'NoSuchUpload', 'The upload does not exist');
    return { id, parts };
  }

  function objectOf({ key }: S3Request): Buffer {
    const found = objects.get(key);
    if (!found) throw new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
    return found;
  }

  /** That of all objects: tests take little time. */
  const startedAt = new Date().toISOString();

  return {
    ListObjectsV2({ query }, response) {
      const after = query.get('continuation-token') ?? '';
      const all = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).toSorted();
      const rest = all.filter((key) => key > after);
      const page = rest.slice(0, pageSize);
      const contents = page.map(
        (key) =>
          `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length ?? 0}</Size><LastModified>${startedAt}</LastModified></Contents>`,
      );
      const isTruncated = rest.length > page.length;
      const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
      sendXml(
        response,
        `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
      );
    },
    PutObject({ key, body }, response) {
      objects.set(key, body);
      response.writeHead(200, { etag: etagOf(body) }).end();
    },
    GetObject(call, response) {
      const body = objectOf(call);
      response.writeHead(200, { 'content-length': body.length, etag: etagOf(body) }).end(body);
    },
    HeadObject(call, response) {
      const body = objectOf(call);
      response.writeHead(200, { 'content-length': body.length, etag: etagOf(body) }).end();
    },
    DeleteObject({ key }, response) {
      objects.delete(key);
      response.writeHead(204).end();
    },
    CreateMultipartUpload({ key }, response) {
      const id = randomUUID();
      uploads.set(id, new Map());
      sendXml(
        response,
        `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    },
    UploadPart(call, response) {
      uploadOf(call).parts.set(Number(call.query.get('partNumber')), call.body);
      response.writeHead(200, { etag: etagOf(call.body) }).end();
    },
    CompleteMultipartUpload(call, response) {
      const { id, parts } = uploadOf(call);
      objects.set(call.key, completed(parts, call.body.toString()));
      uploads.delete(id);
      sendXml(
        response,
        `<CompleteMultipartUploadResult><Key>${call.key}</Key><ETag>"done"</ETag></CompleteMultipartUploadResult>`,
      );
    },
    AbortMultipartUpload(call, response) {
      uploads.delete(uploadOf(call).id);
      response.writeHead(204).end();
    },
  };
}

function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;

function operationOf(method: string, key: string, query: URLSearchParams): string {
  const isUpload = query.has('uploadId');
  const name = {
    GET: key === '' ? 'ListObjectsV2' : 'GetObject',
    HEAD: 'HeadObject',
    PUT: isUpload ? 'UploadPart' : 'PutObject',
    POST: isUpload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload',
    DELETE: isUpload ? 'AbortMultipartUpload' : 'DeleteObject',
  }[method];
  if (name === undefined) throw new S3Error(405, 'MethodNotAllowed', `${method} is not supported`);
  return name;
}

/** Joins the parts that the client names, which must be those that it has sent. */
function completed(parts: ReadonlyMap<number, Buffer>, xml: string): Buffer {
  const named = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)<\/PartNumber>/.exec(part)?.[1]),
    etag: /<ETag>(.*?)<\/ETag>/.exec(part)?.[1]?.replaceAll('&quot;', '"'),
  }));
  const joined = named.map(({ number, etag }, index) => {
    const body = parts.get(number);
    if (!body || etag !== etagOf(body) || number <= (named[index - 1]?.number ?? 0)) {
      throw new S3Error(400, 'InvalidPart', `Part ${number} was not uploaded like this`);
    }
    if (body.length < MIN_PART_BYTES && index < named.length - 1) {
      throw new S3Error(400, 'EntityTooSmall', `Part ${number} has ${body.length} bytes`);
    }
    return body;
  });
  if (joined.length === 0) throw new S3Error(400, 'MalformedXML', 'No part is named');
  return Buffer.concat(joined);
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** As AWS documents it: "Create a signed AWS API request". @throws S3Error */
function checkSignature(
  request: IncomingMessage,
  body: Buffer,
  { accessKeyId, secret }: { accessKeyId: string; secret: string },
): void {
  const header = request.headers.authorization ?? '';
  const [, key, scope = '', names = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (key === undefined) throw new S3Error(403, 'AccessDenied', 'Access Denied');
  if (key !== accessKeyId) {
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key does not exist in our records.');
  }
  const at = String(request.headers['x-amz-date'] ?? '');
  const time = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - time) <= MAX_CLOCK_SKEW_MS)) {
    throw new S3Error(403, 'RequestTimeTooSkewed', 'The time of the request differs too much.');
  }
  const contentHash = String(request.headers['x-amz-content-sha256'] ?? '');
  if (contentHash !== sha256(body)) {
    throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The hash is not that of the content.');
  }
  const signed = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) {
    throw new S3Error(403, 'AccessDenied', 'There were headers present which were not signed');
  }
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const sortedQuery = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .toSorted()
    .join('&');
  const headers = signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`).join('');
  const canonical = [request.method, path, sortedQuery, headers, names, contentHash].join('\n');
  const [date = '', region = '', service = '', end = ''] = scope.split('/');
  if (region !== REGION || service !== 's3' || end !== 'aws4_request' || !at.startsWith(date)) {
    throw new S3Error(403, 'AuthorizationHeaderMalformed', `The region must be ${REGION}`);
  }
  const signingKey = [date, region, service, end].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const expected = hmac(signingKey, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n'));
  if (!timingSafeEqual(expected, Buffer.from(given, 'hex'))) {
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The signature does not match.');
  }
}
