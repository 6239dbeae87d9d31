import type { Collection } from '@svcforms/document-store';
import type { OAuthClientRecord } from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import { DAY_MS, HOUR_MS, isoTime, parseUrl, type Clock } from '@svcforms/primitives';
import { readRegistration } from './registration.ts';

const MAX_URL_LENGTH = 500;
const MAX_BYTES = 16 * 1024;
const TIMEOUT_MS = 5_000;
/**
 * How many documents a process fetches at the same time: in all, and for one site of users, so that
 * nobody can block the others with URLs that never respond. Beyond these limits, the response says
 * to try again later.
 */
const CONCURRENCY = 32;
const CONCURRENCY_PER_SITE = 2;
/** A document is used for this time without being fetched again. */
const FRESH_MS = HOUR_MS;
/** A document is used for this time while too many others are being fetched. */
const STALE_MS = DAY_MS;
/** A document that no user connects is forgotten after this time. */
const UNUSED_MS = DAY_MS;

/**
 * Whether a client id is the URL of a document. Ids of registered clients begin with `svc_cli_`.
 */
export const isClientUrl = (clientId: string): boolean => /^https?:/i.test(clientId);

/** The host that a client proved by its document; absent for clients that registered themselves. */
export const clientHost = (clientId: string): string | undefined =>
  isClientUrl(clientId) ? new URL(clientId).host : undefined;

interface ClientDocumentsDeps {
  clients: Pick<Collection<OAuthClientRecord>, 'findOne' | 'updateOne'>;
  client: Pick<GuardedClient, 'get'>;
  now: Clock;
}

/**
 * Clients whose id is the URL of a document with their metadata. The document is fetched when a
 * user is sent here, by the rules for outbound requests, and stored like a registration. Tokens and
 * refreshes use what is stored, so they cause no request. ADR 0090
 */
export function createClientDocuments({ clients, client, now }: ClientDocumentsDeps) {
  /** The site of each fetch. */
  const fetching: string[] = [];

  const isBusyFor = (site: string) =>
    fetching.length >= CONCURRENCY ||
    fetching.filter((other) => other === site).length >= CONCURRENCY_PER_SITE;

  /** @returns the metadata to store, or what is wrong with the document */
  async function fetchDocument(
    id: string,
    site: string,
  ): Promise<{ metadata: object } | { problem: string }> {
    fetching.push(site);
    try {
      const result = await client.get({
        url: id,
        headers: { accept: 'application/json', 'accept-encoding': 'identity' },
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
        keepResponseBytes: MAX_BYTES,
      });
      if ('error' in result) return { problem: `can't be fetched (${result.error})` };
      if (result.status !== 200) return { problem: `has the status ${result.status} instead of 200` };
      if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(result.headers['content-type'] ?? ''))
        return { problem: 'must be served as application/json' };
      if (Buffer.byteLength(result.body) >= MAX_BYTES)
        return { problem: `must have less than ${MAX_BYTES} bytes` };
      return readDocument(id, result.body);
    } finally {
      fetching.splice(fetching.indexOf(site), 1);
    }
  }

  return {
    /**
     * Makes the client known. `site`: of the user, from `clientSite`. @returns what is wrong with
     * its id or document; `undefined` if nothing is
     */
    async load(id: string, site: string): Promise<string | undefined> {
      const problem = urlProblem(id);
      if (problem !== undefined) return problem;
      const known = await clients.findOne({ _id: id });
      const isBusy = isBusyFor(site);
      const usedSince = isoTime(now() - (isBusy ? STALE_MS : FRESH_MS));
      if (known && known.expireAt > isoTime(now()) && (known.fetchedAt ?? '') > usedSince) return undefined;
      if (isBusy) return 'Too many documents of clients are being fetched; try again in a few seconds';
      const fetched = await fetchDocument(id, site);
      if ('problem' in fetched) return `The document of the client ${fetched.problem}`;
      const unused = isoTime(now() + UNUSED_MS);
      const isConnected = known !== null && known.expireAt > unused;
      const metadata = JSON.stringify(fetched.metadata);
      await clients.updateOne(
        { _id: id },
        {
          $set: { metadata, fetchedAt: isoTime(now()), ...(isConnected ? {} : { expireAt: unused }) },
          $setOnInsert: { createdAt: isoTime(now()) },
        },
        { upsert: true },
      );
      return undefined;
    },
  };
}

/** The rules of the specification for client ids that are URLs. */
function urlProblem(id: string): string | undefined {
  const url = id.length <= MAX_URL_LENGTH ? parseUrl(id) : null;
  const isPlain =
    url !== null &&
    url.protocol === 'https:' &&
    url.pathname !== '/' &&
    url.username === '' &&
    url.password === '' &&
    !id.includes('#') &&
    // Neither dots in the path nor another spelling of the host: one client has one id.
    url.href === id;
  return isPlain
    ? undefined
    : 'A client_id that is a URL must begin with https://, have a path, and have no login, fragment or dot segments';
}

function readDocument(id: string, text: string): { metadata: object } | { problem: string } {
  const read = readRegistration(text);
  if ('error' in read) return { problem: `isn't valid: ${read.error_description}` };
  const document = JSON.parse(text) as Record<string, unknown>;
  if (document['client_id'] !== id) return { problem: 'must have its own URL as client_id' };
  if (document['client_secret'] !== undefined || document['client_secret_expires_at'] !== undefined)
    return { problem: "must have no client_secret, because it isn't secret" };
  if (typeof document['client_name'] !== 'string' || document['client_name'] === '')
    return { problem: 'must have a client_name' };
  return { metadata: { ...read.metadata, client_id: id } };
}
