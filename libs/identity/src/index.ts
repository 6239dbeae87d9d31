export { createKeyAuthenticator, hasScope, newApiKey } from './api-keys.ts';
export type { Caller } from './api-keys.ts';
export { bootstrap } from './bootstrap.ts';
export type { BootstrapSettings, FirstAccount } from './bootstrap.ts';
export { firstAccountNotice } from './first-account-notice.ts';
export { hashPassword } from './password.ts';
export { ACCOUNTS, API_KEYS, USERS } from './records.ts';
export type { AccountRecord, ApiKeyRecord, UserRecord } from './records.ts';
