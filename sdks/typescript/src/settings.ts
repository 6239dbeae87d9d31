import { ConfigurationError } from './errors.ts';

/** The version of this package. */
export const VERSION = '0.1.0';

const DEFAULT_BASE_URL = 'http://localhost:8080';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Receives the client's log lines, without keys and bodies. `console` is one. */
export interface Logger {
  /** One line for each response. */
  debug(line: string): void;
  /** One line for each retry. */
  info(line: string): void;
}

/** Options of a client. */
export interface ClientOptions {
  /** An API key (`svc_key_…`). Default: the environment variable `SVC_API_KEY`. */
  apiKey?: string | undefined;
  /** URL of the server. Default: `SVC_BASE_URL`, or http://localhost:8080. */
  baseUrl?: string | undefined;
  /** Milliseconds to wait for the response of each attempt. Default: 30 000. */
  timeoutMs?: number | undefined;
  /** Maximum retries for each request; 0 disables retries. Default: 4. */
  maxRetries?: number | undefined;
  /**
   * A function with the interface of `fetch`, for proxies, certificates or tests. Default: the
   * global one.
   */
  fetch?: Fetch | undefined;
  /** Receives log lines, such as `console`. Default: none. */
  logger?: Logger | undefined;
}

/** The base URL and the API key. */
export interface Settings {
  baseUrl: string;
  apiKey: string;
}

/**
 * Reads the settings. Options take precedence over `SVC_API_KEY` and `SVC_BASE_URL`.
 * @throws ConfigurationError if the API key is missing, or the API key or base URL is invalid.
 */
export function readSettings({ apiKey, baseUrl }: ClientOptions): Settings {
  const key = (apiKey ?? environment('SVC_API_KEY') ?? '').trim();
  if (key === '') throw new ConfigurationError('The API key is missing: pass apiKey, or set SVC_API_KEY');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ConfigurationError('The API key contains invalid characters; check for spaces and line breaks');
  const text = (baseUrl ?? (environment('SVC_BASE_URL') || DEFAULT_BASE_URL)).trim();
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigurationError(`The base URL ${JSON.stringify(text)} is not a URL`);
  }
  const { protocol, host, search, hash, username, password } = url;
  if (!/^https?:$/.test(protocol) || !host || search || hash || username || password) {
    url.username = url.password = '';
    throw new ConfigurationError(
      'The base URL must look like https://forms.example.com, without credentials or a query; ' +
        `got ${JSON.stringify(url.href)}`,
    );
  }
  return { baseUrl: url.href.replace(/\/+$/, ''), apiKey: key };
}

/** Masks a secret as `svc_key_…Zm9y`. Shows nothing of a short secret. */
export function mask(secret: string): string {
  if (secret.length < 20) return '…';
  return `${/^svc_[a-z]{3}_/.exec(secret)?.[0] ?? ''}…${secret.slice(-4)}`;
}

/** Browsers and some edge runtimes have no environment. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name];
  } catch {
    // Deno without --allow-env
    return undefined;
  }
}
