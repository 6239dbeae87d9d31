export { FIRST_ULID, isId, newId, ulidTime } from './api/ids.ts';
export type { IdPrefix } from './api/ids.ts';
export {
  EVENT_TYPES,
  isWebhookEventType,
  MAX_BUS_BODY_BYTES,
  TASK_EVENT_TYPES,
  WEBHOOK_EVENT_TYPES,
} from './webhooks/events.ts';
export type { BusEvent, EventType, WebhookEventType } from './webhooks/events.ts';
export { ErasureIn, ErasureOut } from './api/erasure.ts';
export { ERROR_TEXTS } from './errors/error-texts.ts';
export { EventTypesOut, eventTypesOut, PAYLOAD_VERSION } from './webhooks/event-catalog.ts';
export type { EventTypeOut } from './webhooks/event-catalog.ts';
export { exceededHeaderLimits, headerOut } from './webhooks/headers.ts';
export type { HeaderOut } from './webhooks/headers.ts';
export { hopsOf } from './webhooks/hops.ts';
export { WebhookKeysQuery } from './webhooks/public-key.ts';
export { AppError, ERRORS, isAppError, validationFailed } from './errors/errors.ts';
export type { ErrorCode, Issue } from './errors/errors.ts';
export { Problem, problemOf } from './errors/problem.ts';
export {
  AccountOut,
  AccountPatch,
  LoginIn,
  MeOut,
  MePatch,
  PLANS,
  ReauthenticateIn,
  ROLES,
  SessionOut,
  SessionsOut,
  UserIn,
  UserOut,
  UserPatch,
} from './api/account.ts';
export type { Plan, Role } from './api/account.ts';
export { MIN_PASSWORD_LENGTH } from './api/password-length.ts';
export {
  InvitationAcceptIn,
  InvitationCreatedOut,
  InvitationIn,
  InvitationOut,
  InvitationPreviewIn,
  InvitationPreviewOut,
} from './api/invitation.ts';
export {
  LoginPolicyPatch,
  SecondFactorIn,
  TotpConfirmIn,
  TotpOut,
  TotpRecoveryCodesOut,
  TotpSetupOut,
} from './api/totp.ts';
export { SlackConnectIn, SlackConnectionOut, SlackTestOut } from './api/slack.ts';
export { OidcCallbackQuery, OidcStartQuery } from './api/oidc.ts';
export { LoginMethodsOut, PasswordResetIn, PasswordResetRequestIn } from './api/password-reset.ts';
export {
  AGENT_SCOPES,
  AgentConsentIn,
  AgentConsentOut,
  AgentConsentResultOut,
  AgentOut,
  AuthorizationQuery,
  isAgentScope,
  LEAST_AGENT_SCOPES,
} from './api/agent.ts';
export type { AgentScope } from './api/agent.ts';
export { AuditEntryOut, AuditQuery } from './api/audit.ts';
export type { AuditAction, AuditChanges } from './api/audit.ts';
export { GroupIn, GroupOut, GroupPatch, MAX_GROUPS } from './api/group.ts';
export { KeyCreatedOut, KeyIn, KeyOut, SCOPES } from './api/api-key.ts';
export type { Scope } from './api/api-key.ts';
export { AccountPayloadPreviewIn, PayloadPreviewIn, PayloadPreviewOut } from './webhooks/payload.ts';
export type { PayloadError, PayloadFormat, WebhookPayload } from './webhooks/payload.ts';
export {
  AccountDeliveryQuery,
  DELIVERY_STATUSES,
  DeliveryDetailOut,
  DeliveryDetailQuery,
  DeliveryOut,
  DeliveryQuery,
} from './webhooks/delivery.ts';
export type { DeliveryRequestOut, DeliveryStatus } from './webhooks/delivery.ts';
export type { Page, Success } from './api/envelope.ts';
export { BLOCK_TYPES, CHOICE_TYPES, FIELD_TYPES, RATING_STYLES, valueFields } from './forms/field-types.ts';
export type { FieldType } from './forms/field-types.ts';
export { findMappedValue, mapFields } from './inbound/field-mapping.ts';
export { readInboundFields } from './inbound/read-inbound-fields.ts';
export type { FieldMapping } from './inbound/field-mapping.ts';
export { withAgreedText } from './forms/agreed-text.ts';
export { isEmpty, readFieldValue } from './forms/field-value.ts';
export { checkValues, wantedValue } from './forms/field-values.ts';
export { conditionsIn, courseOf, createTest, isSkippable } from './forms/logic.ts';
export type { Jump, LogicCondition, LogicConditions, ShowIf } from './forms/logic.ts';
export type { Ending } from './forms/logic-schema.ts';
export { opsFor } from './forms/logic-problems.ts';
export { pipe, renamePiped } from './forms/pipe.ts';
export { FormField } from './forms/form-field.ts';
export { FormSettings, FormSettingsIn } from './forms/form-settings.ts';
export { isPopup, POSITIONS_OF } from './forms/placement.ts';
export type { Placement, Position } from './forms/placement.ts';
export { labelText, markdownText, parseLinks, parseMarkdown } from './forms/markdown.ts';
export type { Inline } from './forms/markdown.ts';
export { offeredLanguages, spokenFields } from './forms/localized-form.ts';
export { READY_THEMES } from './forms/ready-themes.ts';
export { blockKind, SubmissionTokenOut } from './forms/spam.ts';
export type { ProofChallenge, QuarantineReason, SpamSettings } from './forms/spam.ts';
export { themeContrast, themeIssues } from './forms/theme-contrast.ts';
export { DENSITIES } from './forms/theme.ts';
export type { Theme } from './forms/theme.ts';
export {
  DuplicateIn,
  DraftQuery,
  formDefinition,
  FormIn,
  FormOut,
  FormQuery,
  FormTemplate,
  FormTemplateIn,
  FormVersionDetailOut,
  FormVersionOut,
} from './forms/form.ts';
export type { FormDefinition, ScriptSighting } from './forms/form.ts';
export { FormSummaryOut } from './forms/summary.ts';
export type { FieldSummary } from './forms/summary.ts';
export { DEFAULT_INBOUND_NAME } from './inbound/inbound-name.ts';
export {
  InboundCreatedOut,
  InboundIn,
  InboundOut,
  InboundPatch,
  InboundPatchedOut,
  InboundRequestsOut,
  InboundRotatedOut,
} from './inbound/inbound-endpoint.ts';
export { CATALOGS } from './languages/catalogs.ts';
export { isClosedAt } from './forms/closed-at.ts';
export { closingText } from './forms/closing.ts';
export { maySeeForm } from './forms/form-access.ts';
export type { FormMember } from './forms/form-access.ts';
export type { Closing } from './forms/closing.ts';
export { EN_FORM } from './languages/catalogs/en.ts';
export {
  acceptedLanguages,
  canonicalTag,
  directionOf,
  LANGUAGES,
  matchLanguage,
} from './languages/languages.ts';
export type { Language } from './languages/languages.ts';
export { EmbedQuery, HostedQuery } from './languages/language-query.ts';
export { localizeRefusal } from './languages/localize-refusal.ts';
export { refuseIn } from './forms/refuse-in.ts';
export { say } from './languages/say.ts';
export type { Values } from './languages/say.ts';
export type { BrowserWords, FormWords } from './languages/catalogs/words.ts';
export { openApi } from './openapi/document.ts';
export type { PathIds } from './openapi/document.ts';
export type { Operation } from './openapi/operation.ts';
export { prefixOf, storableText } from './errors/whole-characters.ts';
export { pointerOf, segmentsOf } from './api/json-pointer.ts';
export { compilePages } from './popup/page-rules.ts';
export { PageQuery, Pagination } from './api/pagination.ts';
export { wholeNumberText } from './api/schema-parts.ts';
export { SIMPLE_TRIGGERS, TRIGGER_PARAMETERS, TRIGGERS } from './popup/popup-rules.ts';
export type { SimpleTrigger, Trigger } from './popup/popup-rules.ts';
export { Popup } from './popup/popup.ts';
export { publicForm, titleWithoutAnswers } from './forms/public-form.ts';
export type { PreviewEvent, PreviewRequest, PublicForm } from './forms/public-form.ts';
export { readInput } from './api/read-input.ts';
export { isBlank, isEmail } from './api/text-formats.ts';
export {
  ExportQuery,
  InboundFields,
  SubmissionCreatedOut,
  SubmissionIn,
  SubmissionMetadata,
  SubmissionOut,
  SubmissionQuery,
} from './forms/submission.ts';
export { evaluateFilter, valueAtPointer } from './webhooks/filter-match.ts';
export type { FilterCondition, FilterOp, FilterScalar } from './webhooks/filter-match.ts';
export { FILTER_LIMITS, filterProblems } from './webhooks/filter-problems.ts';
export { WebhookFilter } from './webhooks/filter.ts';
export { WebhookHealthOut, WebhookHealthQuery } from './webhooks/health.ts';
export { AccountFilterPreviewIn, FilterPreviewIn, FilterPreviewOut } from './webhooks/filter-preview.ts';
export { parseTriggers, savedTriggers } from './popup/trigger-plan.ts';
export type { Condition, TriggerPlan } from './popup/trigger-plan.ts';
export { readTriggerText, triggerText } from './popup/trigger-text.ts';
export type { TriggerProblem, TriggerSettings } from './popup/trigger-text.ts';
export {
  AccountWebhookCreatedOut,
  AccountWebhookIn,
  AccountWebhookOut,
  AccountWebhookPatch,
  AccountWebhookTestIn,
  RecoverIn,
  RecoverOut,
  RotateSecretIn,
  WebhookCreatedOut,
  WebhookIn,
  WebhookOut,
  WebhookPatch,
  WebhookTestIn,
  WebhookTestOut,
} from './webhooks/webhook.ts';
export { RedeemedOut, RedeemIn, TaskAction } from './tasks/action.ts';
export { countingVotes, countVotes, DelegateIn } from './tasks/policy.ts';
export type { Count, Electorate } from './tasks/policy.ts';
export { shownJson, shownText } from './tasks/shown-json.ts';
export {
  CancelIn,
  DecisionIn,
  McpMessage,
  StreamQuery,
  TASK_LIFETIME,
  TASK_PRIORITIES,
  TaskHistoryOut,
  TaskIn,
  TaskOut,
  TaskQuery,
  TaskToolArguments,
  TaskWaitQuery,
} from './tasks/task.ts';
export type {
  CallbackState,
  DecisionMode,
  ExpiryRule,
  TaskOutcome,
  TaskPriority,
  TaskStatus,
} from './tasks/task.ts';
export {
  daysOf,
  FormsStatsOut,
  FormsStatsQuery,
  PopupEventIn,
  StatsOut,
  StatsQuery,
} from './popup/popup-counters.ts';
export type { PopupEventType } from './popup/popup-counters.ts';
export { checkPage, checkDisplay } from './popup/display-check.ts';
export type { PageView, RuleCheck, Wait } from './popup/display-check.ts';
export { EmailLinkQuery, NotificationAddressOut } from './forms/notification-address.ts';
