export { PARAMETER_KINDS } from './app/handle-route.ts';
export { auditUrl, changesBetween } from './audit/audit-changes.ts';
export { AUDIT_LOG, auditActor, auditTarget, auditUser, createAuditLog } from './audit/audit-log.ts';
export type { AuditEntry, AuditRecord } from './audit/audit-log.ts';
export { createSharedAccess } from './limits/shared-access.ts';
export type { SharedAccess } from './limits/shared-access.ts';
export { clientNetwork, clientSite } from './limits/client-network.ts';
export { createSearchLimiter } from './limits/search-limiter.ts';
export type { EnterSearch } from './limits/search-limiter.ts';
export { escapeHtml, htmlPage } from './app/html.ts';
export { createHost } from './app/host.ts';
export type { Service } from './app/host.ts';
export { hostSettings } from './app/host-settings.ts';
export { openFreePort } from './app/server.ts';
export {
  createForgetReplies,
  createIdempotency,
  deleteRepliesOfForms,
  IDEMPOTENCY_KEYS,
} from './app/idempotency.ts';
export type { RunOnce } from './app/idempotency.ts';

export { findPage } from './app/pagination.ts';
export type { PageOrder } from './app/pagination.ts';
export { parseJson, refuseInfinite, refuseUnstorable } from './app/parse-json.ts';
export { asAppError } from './app/problems.ts';
export { route } from './routes/route.ts';
export type { PathRequest, Reply, Route, RouteRequest, SessionCaller } from './routes/route.ts';
export { requireRecentLogin } from './auth/recent-login.ts';
export { sessionCookie } from './auth/session-cookie.ts';
export { readBuiltFile, sendFile, staticFile } from './files/static-file.ts';
export type { StaticFile } from './files/static-file.ts';
