export { isId, newId, ulidTime } from './api/ids.ts';
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
export { hopsOf } from './webhooks/hops.ts';
export { AppError, ERRORS, isAppError, validationFailed } from './errors/errors.ts';
export type { ErrorCode, Issue } from './errors/errors.ts';
export { Problem, problemOf } from './errors/problem.ts';
export {
  AccountOut,
  AccountPatch,
  LoginIn,
  MeOut,
  MePatch,
  MIN_PASSWORD_LENGTH,
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
export { AuditEntryOut, AuditQuery } from './api/audit.ts';
export type { AuditAction, AuditChanges } from './api/audit.ts';
export { KeyCreatedOut, KeyIn, KeyOut, SCOPES } from './api/api-key.ts';
export type { Scope } from './api/api-key.ts';
export { DeliveryOut, DeliveryQuery } from './webhooks/delivery.ts';
export type { DeliveryStatus } from './webhooks/delivery.ts';
export type { Page, Success } from './api/envelope.ts';
export { CHOICE_TYPES, FIELD_TYPES, RATING_STYLES } from './forms/field-types.ts';
export type { FieldType } from './forms/field-types.ts';
export { findMappedValue, mapFields } from './inbound/field-mapping.ts';
export type { FieldMapping } from './inbound/field-mapping.ts';
export { checkValues, wantedValue } from './forms/field-values.ts';
export { FormField } from './forms/form-field.ts';
export { FormSettings } from './forms/form-settings.ts';
export { READY_THEMES } from './forms/ready-themes.ts';
export type { ReadyTheme } from './forms/ready-themes.ts';
export { themeContrast, themeIssues } from './forms/theme-contrast.ts';
export type { ContrastProblem } from './forms/theme-contrast.ts';
export { DENSITIES } from './forms/theme.ts';
export type { Theme } from './forms/theme.ts';
export {
  DuplicateIn,
  formDefinition,
  FormIn,
  FormOut,
  FormQuery,
  FormTemplate,
  FormTemplateIn,
} from './forms/form.ts';
export type { FormDefinition } from './forms/form.ts';
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
export { openApi } from './openapi/document.ts';
export type { PathIds } from './openapi/document.ts';
export type { Operation } from './openapi/operation.ts';
export { issuesOf, pointerOf } from './api/json-pointer.ts';
export { compilePages } from './popup/page-rules.ts';
export { PageQuery, Pagination } from './api/pagination.ts';
export { SIMPLE_TRIGGERS, TRIGGER_PARAMETERS, TRIGGERS } from './popup/popup-rules.ts';
export type { SimpleTrigger, Trigger } from './popup/popup-rules.ts';
export { Popup } from './popup/popup.ts';
export { publicForm } from './forms/public-form.ts';
export type { PreviewEvent, PreviewRequest, PublicForm } from './forms/public-form.ts';
export { readInput } from './api/read-input.ts';
export {
  ExportQuery,
  InboundFields,
  SubmissionCreatedOut,
  SubmissionIn,
  SubmissionMetadata,
  SubmissionOut,
  SubmissionQuery,
} from './forms/submission.ts';
export { parseTriggers, savedTriggers } from './popup/trigger-plan.ts';
export type { Condition, TriggerPlan } from './popup/trigger-plan.ts';
export { readTriggerText, triggerText } from './popup/trigger-text.ts';
export type { TriggerProblem, TriggerSettings } from './popup/trigger-text.ts';
export {
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
