import { nkeys } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** Signs claims as `nsc` does. */
function jwt(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name,
    sub: subject.getPublicKey(),
    nats: { version: 2, ...nats },
  };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  const signature = issuer.sign(new TextEncoder().encode(signed));
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

/**
 * Returns the configuration of a server for one account of a new operator, and the credentials file
 * of a user.
 */
export function issueAccount(): { config: string; creds: string } {
  const [operator, system, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ];
  const unlimited = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, conn: -1, leaf: -1 };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const operatorJwt = jwt(operator, operator, 'operator', {
    type: 'operator',
    system_account: system.getPublicKey(),
  });
  const systemJwt = jwt(operator, system, 'system', { type: 'account', limits: unlimited });
  const accountJwt = jwt(operator, account, 'svcforms', {
    type: 'account',
    limits: { ...unlimited, ...storage },
  });
  const userJwt = jwt(account, user, 'svcforms', {
    type: 'user',
    pub: {},
    sub: {},
    subs: -1,
    data: -1,
    payload: -1,
  });
  const seed = new TextDecoder().decode(user.getSeed());
  return {
    // The default of two seconds is too short for signatures in JavaScript on a busy machine.
    config: `
      authorization: { timeout: 30 }
      operator: ${operatorJwt}
      resolver: MEMORY
      resolver_preload: { ${system.getPublicKey()}: ${systemJwt}, ${account.getPublicKey()}: ${accountJwt} }`,
    creds: `-----BEGIN NATS USER JWT-----
${userJwt}
------END NATS USER JWT------

************************* IMPORTANT *************************
-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------

*************************************************************
`,
  };
}
