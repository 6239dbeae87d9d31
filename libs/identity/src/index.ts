export { accountOfInstallation } from './account-of-installation.ts';
export { createAgentAuthenticator, endAgent, isAgentToken, OAUTH_TOKEN_PREFIXES } from './agents.ts';
export { createKeyAuthenticator, hasExpired, newApiKey, scopesOfKey } from './api-keys.ts';
export { bootstrap, firstAccountLines } from './bootstrap.ts';
export type { FirstAccount } from './bootstrap.ts';
export { createCallerCheck } from './caller-check.ts';
export { hasScope, missingScopes, roleDecides, scopesByName } from './caller.ts';
export type { Caller } from './caller.ts';
export { createLogin } from './login.ts';
export type { LoginAttempt } from './login.ts';
export { isLinkOpen, LINK_LIFETIME_MS, newLink, readLink } from './one-time-links.ts';
export { isIdentityOf, issuerSpellings, oidcSubjects, spellingsOfSubject } from './oidc-subjects.ts';
export { createOwners, hasOwnerWithIdentity } from './owners.ts';
export { passwordProblem } from './password-policy.ts';
export { createPasswordResets, issueResetLink } from './password-resets.ts';
export { createPasswordHasher } from './password.ts';
export type { PasswordHasher } from './password.ts';
export { ACCOUNTS, type AccountRecord } from './records/account.ts';
export { AGENT_TOKENS, AGENTS, type AgentRecord, type AgentTokenRecord } from './records/agent.ts';
export { API_KEYS, type ApiKeyRecord } from './records/api-key.ts';
export { deleteInvitationsOf } from './delete-invitations.ts';
export { createKeepGroups, groupsNamedIn, isMarked } from './group-marks.ts';
export { GROUPS, type GroupRecord } from './records/group.ts';
export { INVITATIONS, type InvitationRecord } from './records/invitation.ts';
export { LOGIN_CHALLENGES } from './records/login-challenge.ts';
export { LOGIN_FAILURES } from './records/login-failures.ts';
export {
  OAUTH_ARTIFACTS,
  OAUTH_CLIENTS,
  type OAuthArtifactRecord,
  type OAuthClientRecord,
} from './records/oauth.ts';
export { OIDC_LOGINS, type OidcLoginRecord } from './records/oidc-login.ts';
export { PASSWORD_RESETS, type PasswordResetRecord } from './records/password-reset.ts';
export { RECOVERY_CODES, type RecoveryCodeRecord } from './records/recovery-code.ts';
export { SESSIONS, type SessionRecord } from './records/session.ts';
export { SLACK_CLICKS, type SlackClickRecord } from './records/slack-click.ts';
export { USERS, type UserNotice, type UserRecord } from './records/user.ts';
export { createPolicyIssues } from './policy-issues.ts';
export { createChainFinder, createFormAccess, isSameLimit, type ChainFinder } from './form-access.ts';
export type { FormAccess } from './form-access.ts';
export { createReviewers, reviewRuleOf } from './reviewers.ts';
export type { FormRef, ReviewedTask, Reviewers } from './reviewers.ts';
export { createRights, missingRights, rightsOfRole, roleWithin, weakerRole } from './rights.ts';
export type { Rights, RightsOf } from './rights.ts';
export { createSecondStep, expiredLogin } from './second-step.ts';
export { mustChangePassword, mustSetUpTotp, scopesOfSession } from './session-rights.ts';
export { newTaskLink, readTaskLink } from './task-links.ts';
export { createTotp, disableTotp, totpSecretContext } from './totp.ts';
export type { Totp } from './totp.ts';
export { createSessions, publicSessionId, SESSION_SECONDS } from './sessions.ts';
export type { Sessions } from './sessions.ts';
export { SLACK_CONNECTION, updateOfUser } from './user-notices.ts';
