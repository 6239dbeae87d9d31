/** What we use of oidc-provider 8, which ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** The error of a request; its `error` and description go to the client. */
  class OIDCProviderError extends Error {
    error: string;
    error_description?: string;
    /** Whether the error may be sent to the redirect URI. */
    allow_redirect?: boolean;
  }

  /** The members of an error for the client. */
  export interface ErrorParameters {
    error: string;
    error_description?: string;
    scope?: string;
    state?: string;
    iss?: string;
  }

  interface Client {
    redirectUris: string[];
    redirectUriAllowed(uri: string): boolean;
  }

  export interface ProviderContext {
    res: ServerResponse;
    oidc: {
      route: string;
      params?: Record<string, unknown>;
      client?: Client;
      session?: { accountId?: string };
      result?: { consent?: { grantId?: string } };
      provider: Provider;
    };
    status: number;
    type: string;
    body: unknown;
    set(headers: Readonly<Record<string, string>>): void;
  }

  interface Model {
    prototype: { generateTokenId(): string };
    find(id: string): Promise<unknown>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    proxy: boolean;
    AccessToken: Model;
    RefreshToken: Model;
    Grant: Model;
    Client: { prototype: Client };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(middleware: (ctx: ProviderContext, next: () => Promise<void>) => Promise<void>): void;
    on(event: 'server_error', listener: (ctx: ProviderContext, error: Error) => void): void;
    on(
      event: 'authorization.error',
      listener: (ctx: ProviderContext, error: OIDCProviderError) => void,
    ): void;
  }

  export namespace errors {
    class InvalidGrant extends OIDCProviderError {
      constructor(detail: string);
    }
    class InvalidScope extends OIDCProviderError {
      constructor(description: string, scope: string);
    }
    class InvalidTarget extends OIDCProviderError {
      constructor(description?: string);
    }
  }

  export namespace interactionPolicy {
    class Check {
      constructor(
        reason: string,
        description: string,
        error: string,
        check: (ctx: ProviderContext) => boolean,
      );
    }
    class Prompt {
      constructor(info: { name: string; requestable: boolean }, ...checks: Check[]);
    }
  }
}
