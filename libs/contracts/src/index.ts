export { ID_PREFIXES, isId, newId, ulidTime } from './api/ids.ts';
export type { IdPrefix } from './api/ids.ts';
export {
  EVENT_TYPES,
  isWebhookEventType,
  MAX_BUS_BODY_BYTES,
  TASK_EVENT_TYPES,
  WEBHOOK_EVENT_TYPES,
} from './webhooks/events.ts';
export type { BusEvent, EventType, TaskEventType, WebhookEventType } from './webhooks/events.ts';
export { ErasureIn, ErasureOut } from './api/erasure.ts';
export { ERROR_TEXTS } from './errors/error-texts.ts';
export { hopsOf } from './webhooks/hops.ts';
export { AppError, ERRORS, isAppError, validationFailed } from './errors/errors.ts';
export type { AppErrorDetails, ErrorCode, Issue } from './errors/errors.ts';
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
export { AUDIT_ACTIONS, AUDIT_ACTOR_TYPES, AuditEntryOut, AuditQuery } from './api/audit.ts';
export type { AuditAction, AuditChanges } from './api/audit.ts';
export { KeyCreatedOut, KeyIn, KeyOut, SCOPES } from './api/api-key.ts';
export type { Scope } from './api/api-key.ts';
export { DELIVERY_STATUSES, DeliveryOut, DeliveryQuery } from './webhooks/delivery.ts';
export type { DeliveryStatus } from './webhooks/delivery.ts';
export { pageOf, successOf } from './api/envelope.ts';
export type { Page, Success } from './api/envelope.ts';
export { CHOICE_TYPES, FIELD_TYPES } from './forms/field-types.ts';
export type { FieldRules, FieldType } from './forms/field-types.ts';
export { findMappedValue, mapFields } from './inbound/field-mapping.ts';
export type { FieldMapping, MappedValue } from './inbound/field-mapping.ts';
export { checkValues, wantedValue } from './forms/field-values.ts';
export type { CheckedValues, FieldIssue } from './forms/field-values.ts';
export { FieldName, FormField, FormFields } from './forms/form-field.ts';
export type { PreviewEvent, PreviewRequest } from './forms/form-preview.ts';
export { FormSettings } from './forms/form-settings.ts';
export { RETENTION_DAYS } from './api/retention.ts';
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
export {
  checkPopup,
  mergeTriggerParameters,
  SIMPLE_TRIGGERS,
  TRIGGER_PARAMETERS,
  TRIGGERS,
} from './popup/popup-rules.ts';
export type { SimpleTrigger, Trigger } from './popup/popup-rules.ts';
export { Popup, PopupIn } from './popup/popup.ts';
export { publicForm } from './forms/public-form.ts';
export type { PublicForm } from './forms/public-form.ts';
export { readInput } from './api/read-input.ts';
export type { InputReading } from './api/read-input.ts';
export {
  ExportQuery,
  InboundAccepted,
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
  MAX_TASK_WAIT,
  McpMessage,
  StreamQuery,
  TASK_LIFETIME,
  TASK_PRIORITIES,
  TASK_STATUSES,
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
  POPUP_EVENT_TYPES,
  PopupEventIn,
  StatsOut,
  StatsQuery,
} from './popup/popup-counters.ts';
export type { PopupEventType } from './popup/popup-counters.ts';
export { judgePage, judgePopup } from './popup/why-not-shown.ts';
export type { JudgedRule, PageView } from './popup/why-not-shown.ts';
export { EmailLinkQuery, NotificationAddressOut } from './forms/notification-address.ts';
