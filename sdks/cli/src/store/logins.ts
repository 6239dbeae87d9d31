import { join } from 'node:path';
import { Failure, usageFailure } from '../failure.ts';
import type { Environment, Folders } from './folders.ts';
import { readJson, writePrivate } from './private-file.ts';

const DEFAULT_BASE_URL = 'http://localhost:8080';

interface Logins {
  /** The base URL of the last login. */
  current?: string;
  /** API keys by base URL, so that no server gets the key of another one. */
  keys: Record<string, string>;
}

export interface Connection {
  baseUrl: string;
  apiKey: string;
}

interface ConnectionFlags {
  'base-url'?: string | undefined;
  'api-key'?: string | undefined;
}

const fileOf = ({ config }: Folders) => join(config, 'credentials.json');

function readLogins(folders: Folders): Logins {
  const { current, keys = {} } = readJson<Partial<Logins>>(fileOf(folders)) ?? {};
  return { ...(current === undefined ? {} : { current }), keys };
}

/** The base URL of the flags, the environment, the last login, or the default of `npm start`. */
export function readBaseUrl(flags: ConnectionFlags, env: Environment, folders: Folders): string {
  const given = flags['base-url'] ?? (env['SVC_BASE_URL'] || undefined) ?? readLogins(folders).current;
  return normalBaseUrl(given ?? DEFAULT_BASE_URL);
}

/** Where to connect, and with which key. @throws Failure without a key */
export function readConnection(flags: ConnectionFlags, env: Environment, folders: Folders): Connection {
  const baseUrl = readBaseUrl(flags, env, folders);
  const given = flags['api-key'] ?? (env['SVC_API_KEY'] || undefined) ?? readLogins(folders).keys[baseUrl];
  if (given === undefined)
    throw new Failure(`There is no API key for ${baseUrl}; set SVC_API_KEY or run \`svcforms login\`.`);
  return { baseUrl, apiKey: checkKey(given) };
}

export function saveLogin({ baseUrl, apiKey }: Connection, folders: Folders): string {
  const { keys } = readLogins(folders);
  writeLogins({ current: baseUrl, keys: { ...keys, [baseUrl]: apiKey } }, folders);
  return fileOf(folders);
}

/** Returns whether there was a key. */
export function removeLogin(baseUrl: string, folders: Folders): boolean {
  const { current, keys } = readLogins(folders);
  const { [baseUrl]: removed, ...others } = keys;
  if (removed === undefined) return false;
  writeLogins(
    { ...(current === undefined || current === baseUrl ? {} : { current }), keys: others },
    folders,
  );
  return true;
}

function writeLogins(logins: Logins, folders: Folders): void {
  writePrivate(fileOf(folders), `${JSON.stringify(logins, null, 2)}\n`);
}

export function checkKey(text: string): string {
  const key = text.trim();
  if (!/^svc_key_[\w-]+$/.test(key))
    throw new Failure('The API key must look like svc_key_…; copy the whole key without spaces.');
  return key;
}

function normalBaseUrl(text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw usageFailure(`The base URL must look like https://forms.example.com, and ${quoted(text)} doesn't.`);
  return url.href.replace(/\/+$/, '');
}

/** `URL.parse`, which Node.js 20 doesn't have. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Shows no password that somebody wrote into a URL. */
const quoted = (text: string) => JSON.stringify(text.replace(/\/\/[^/]*@/, '//…@'));
