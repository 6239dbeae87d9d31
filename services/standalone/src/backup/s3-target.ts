import type { S3Client } from '@aws-sdk/client-s3';
import type { BackupLocation } from '@svcforms/runtime';
import { Transform, type Readable } from 'node:stream';
import { timeOfBackup, type StoredBackup } from './backup-name.ts';
import { BackupError, type BackupTarget } from './target.ts';

type S3Location = Extract<BackupLocation, { bucket: string }>;

/** A stored object has at most 10 000 parts, so this allows 160 GB. */
const PART_BYTES = 16 * 1024 ** 2;
/** The memory of an upload is this many parts. */
const PARTS_AT_A_TIME = 2;

/**
 * Stores backups as objects of an S3-compatible store. A multipart upload becomes an object only
 * when it is complete. It needs the rights `s3:PutObject`, `s3:AbortMultipartUpload`,
 * `s3:GetObject`, `s3:DeleteObject` and `s3:ListBucket` on its prefix.
 */
export function createS3Target(location: S3Location): BackupTarget {
  const { bucket, prefix, endpoint } = location;
  const description = endpoint === undefined ? `s3://${bucket}/${prefix}` : `${endpoint}/${bucket}/${prefix}`;
  let connected: Promise<S3> | undefined;
  const connect = () => (connected ??= connectTo(location));
  const keyOf = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` });

  async function call<T>(run: (s3: S3) => Promise<T>): Promise<T> {
    try {
      return await run(await connect());
    } catch (error) {
      throw s3Error(description, error);
    }
  }

  return {
    description,

    async write(name, content) {
      const counted = countBytes(content);
      try {
        return await call(async ({ client, Upload, HeadObjectCommand }) => {
          const params = { ...keyOf(name), Body: counted.stream, ContentType: 'application/gzip' };
          await new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_A_TIME }).done();
          const { ContentLength } = await client.send(new HeadObjectCommand(keyOf(name)));
          if (ContentLength !== counted.bytes()) {
            throw new Error(`it stored ${ContentLength} bytes of ${name} instead of ${counted.bytes()}`);
          }
          return counted.bytes();
        });
      } catch (error) {
        content.destroy();
        throw counted.failure() ?? error;
      }
    },

    list: () =>
      call(async ({ client, paginateListObjectsV2 }) => {
        const found: StoredBackup[] = [];
        for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
          for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
            const name = Key.slice(prefix.length);
            const at = timeOfBackup(name);
            if (at !== undefined) found.push({ name, at, bytes: Size, storedAt: LastModified?.getTime() });
          }
        }
        return found;
      }),

    open: (name) =>
      call(async ({ client, GetObjectCommand }) => {
        const { Body } = await client.send(new GetObjectCommand(keyOf(name)));
        return Body as Readable;
      }),

    remove: (name) =>
      call(async ({ client, DeleteObjectCommand }) => {
        await client.send(new DeleteObjectCommand(keyOf(name)));
      }),
  };
}

type S3 = Awaited<ReturnType<typeof connectTo>>;

/** Loads the client when it is needed: few commands use it. */
async function connectTo({ region, endpoint, credentials }: S3Location) {
  const [s3, { Upload }] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  const client: S3Client = new s3.S3Client({
    region,
    // Other stores rarely have a host name for each bucket.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
    // Not every store knows the newer checksums. Signatures cover the content of each part anyway,
    // and dumps have a checksum.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
  });
  return { ...s3, client, Upload };
}

/** Counts the bytes of a stream, and keeps the error with which it failed. */
function countBytes(content: Readable) {
  let bytes = 0;
  let failure: Error | undefined;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  content.once('error', (error) => {
    failure = error;
    stream.destroy(error);
  });
  content.pipe(stream);
  return { stream, bytes: () => bytes, failure: () => failure };
}

/** What the store said, in one line with a code. */
function s3Error(description: string, error: unknown): unknown {
  if (error instanceof BackupError) return error;
  const {
    name = 'Error',
    message = '',
    $metadata,
  } = error as Partial<Error> & {
    $metadata?: { httpStatusCode?: number };
  };
  const status = $metadata?.httpStatusCode;
  const text = `${description}: ${[name, message].filter((part) => part && part !== 'Error').join(': ')}`;
  if (name === 'NoSuchKey') return new BackupError('NOT_FOUND', text, { cause: error });
  // A bucket that doesn't exist is a setting to correct, like a wrong key.
  const isDenied = status === 401 || status === 403 || status === 404 || name === 'CredentialsProviderError';
  return new BackupError(isDenied ? 'DENIED' : 'UNAVAILABLE', text, { cause: error });
}
