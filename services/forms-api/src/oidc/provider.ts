import { issuerSpellings } from '@svcforms/identity';
import { HOUR_MS, type Clock } from '@svcforms/primitives';
import type { Configuration } from 'openid-client';
import type { OidcConfig } from './oidc-config.ts';

const TIMEOUT_SECONDS = 5;
/** The provider's metadata is read again after this time. Its keys are read when they change. */
const METADATA_MS = HOUR_MS;
/** The code of the error for metadata of another issuer than the one that was asked for. */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Why a login with the provider failed. The login screen has a text for each. */
export type OidcFailure = 'expired' | 'denied' | 'unavailable' | 'unverified' | 'role' | 'account';

/** A login failed for a reason that may be shown to the user. */
export class OidcError extends Error {
  override readonly name = 'OidcError';
  constructor(
    readonly failure: OidcFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What has to be remembered between the request to the provider and its response. */
export interface LoginChecks {
  state: string;
  nonce: string;
  verifier: string;
}

export type Claims = Readonly<Record<string, unknown>> & { sub: string };

/**
 * The identity provider: authorization code flow with PKCE, state and nonce. Its metadata is read
 * when it is first needed, so the product starts without it.
 */
export function createProvider(deps: {
  config: OidcConfig;
  /** Where the provider sends users back. */
  redirectUri: string;
  now: Clock;
}) {
  const { config, redirectUri, now } = deps;
  let known: { at: number; configuration: Promise<Configuration> } | undefined;

  function discovered(): Promise<Configuration> {
    if (known && known.at > now() - METADATA_MS) return known.configuration;
    const current = { at: now(), configuration: discover() };
    known = current;
    current.configuration.catch(() => {
      if (known === current) known = undefined;
    });
    return current.configuration;
  }

  async function discover(): Promise<Configuration> {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = config;
    const authentication =
      clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
    const read = (spelling: string) =>
      client.discovery(new URL(spelling), clientId, clientSecret, authentication, {
        timeout: TIMEOUT_SECONDS,
        execute: [
          // Otherwise the library trusts the connection to the token endpoint, and takes any ID
          // token from it.
          client.enableNonRepudiationChecks,
          // The setting only allows it on the same machine.
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      });
    try {
      return await read(issuer);
    } catch (error) {
      const found = error instanceof client.ClientError ? otherIssuerIn(error) : undefined;
      if (found === undefined) throw error;
      const other = issuerSpellings(issuer).find((spelling) => spelling === found);
      if (other === undefined)
        throw new Error(`SVC_OIDC_ISSUER is ${issuer}, but its metadata names ${found}`);
      // The metadata has the same URL. The spelling in it counts from here on: tokens must have it.
      return read(other);
    }
  }

  return {
    /**
     * Returns the URL to send the user to. `prompt`: `login` asks the provider to authenticate the
     * user again.
     * @throws OidcError
     */
    async begin(prompt?: 'login'): Promise<{ url: string; checks: LoginChecks }> {
      try {
        const client = await import('openid-client');
        const configuration = await discovered();
        const verifier = client.randomPKCECodeVerifier();
        const checks = { verifier, state: client.randomState(), nonce: client.randomNonce() };
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: config.scopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(prompt && { prompt }),
        });
        return { url: url.href, checks };
      } catch (error) {
        throw new OidcError('unavailable', "the identity provider can't be reached", { cause: error });
      }
    },

    /**
     * Returns the claims about the user, for the query with which they came back. @throws OidcError
     */
    async finish(query: URLSearchParams, checks: LoginChecks): Promise<Claims> {
      const client = await import('openid-client');
      try {
        const configuration = await discovered();
        const tokens = await client.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}?${query.toString()}`),
          {
            pkceCodeVerifier: checks.verifier,
            expectedState: checks.state,
            expectedNonce: checks.nonce,
            idTokenExpected: true,
          },
        );
        const claims = tokens.claims();
        if (!claims) throw new Error('the provider sent no ID token');
        // Many providers put email and groups only there.
        const more = configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : {};
        return { ...more, ...claims };
      } catch (error) {
        if (error instanceof client.AuthorizationResponseError) {
          throw new OidcError('denied', 'the identity provider refused the login', { cause: error });
        }
        // A code that was used, has expired, or belongs to the login of another browser (PKCE).
        const isForeignCode = error instanceof client.ResponseBodyError && error.error === 'invalid_grant';
        throw isForeignCode
          ? new OidcError('expired', 'the identity provider refused the code', { cause: error })
          : new OidcError('unavailable', 'the identity provider did not confirm the login', { cause: error });
      }
    },
  };
}

/** The issuer that the metadata names, if that is why it was refused. */
function otherIssuerIn({ code, cause }: { code?: string | undefined; cause?: unknown }): string | undefined {
  if (code !== OTHER_ISSUER) return undefined;
  const { body } = cause as { body?: { issuer?: unknown } };
  return typeof body?.issuer === 'string' ? body.issuer : undefined;
}

export type Provider = ReturnType<typeof createProvider>;
