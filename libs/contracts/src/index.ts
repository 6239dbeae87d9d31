export { ID_PREFIXES, isId, newId, ulidTime } from './ids.ts';
export type { IdPrefix } from './ids.ts';
export {
  EVENT_TYPES,
  isWebhookEventType,
  MAX_BUS_BODY_BYTES,
  TASK_EVENT_TYPES,
  WEBHOOK_EVENT_TYPES,
} from './events.ts';
export type { BusEvent, EventType, TaskEventType, WebhookEventType } from './events.ts';
export { ErasureIn, ErasureOut } from './erasure.ts';
export { ERROR_TEXTS } from './error-texts.ts';
export { hopsOf } from './hops.ts';
export { AppError, ERRORS, isAppError, validationFailed } from './errors.ts';
export type { AppErrorDetails, ErrorCode, Issue } from './errors.ts';
export { Problem, problemOf } from './problem.ts';
export { readSettings, SettingsError, settingsSchema } from './settings.ts';
export type { Settings } from './settings.ts';
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
} from './account.ts';
export type { Plan, Role } from './account.ts';
export { AUDIT_ACTIONS, AUDIT_ACTOR_TYPES, AuditEntryOut, AuditQuery } from './audit.ts';
export type { AuditAction, AuditChanges } from './audit.ts';
export { KeyCreatedOut, KeyIn, KeyOut, SCOPES } from './api-key.ts';
export type { Scope } from './api-key.ts';
export { DELIVERY_STATUSES, DeliveryOut, DeliveryQuery } from './delivery.ts';
export type { DeliveryStatus } from './delivery.ts';
export { pageOf, successOf } from './envelope.ts';
export type { Page, Success } from './envelope.ts';
export { CHOICE_TYPES, FIELD_TYPES } from './field-types.ts';
export type { FieldRules, FieldType } from './field-types.ts';
export { findMappedValue, mapFields } from './field-mapping.ts';
export type { FieldMapping, MappedValue } from './field-mapping.ts';
export { checkValues, wantedValue } from './field-values.ts';
export type { CheckedValues, FieldIssue } from './field-values.ts';
export { FieldName, FormField, FormFields } from './form-field.ts';
export type { PreviewEvent, PreviewRequest } from './form-preview.ts';
export { FormSettings } from './form-settings.ts';
export { RETENTION_DAYS } from './retention.ts';
export {
  DuplicateIn,
  formDefinition,
  FormIn,
  FormOut,
  FormQuery,
  FormTemplate,
  FormTemplateIn,
} from './form.ts';
export type { FormDefinition } from './form.ts';
export { DEFAULT_INBOUND_NAME } from './inbound-name.ts';
export {
  InboundCreatedOut,
  InboundIn,
  InboundOut,
  InboundPatch,
  InboundPatchedOut,
  InboundRequestsOut,
  InboundRotatedOut,
} from './inbound-endpoint.ts';
export { openApi } from './openapi/document.ts';
export type { PathIds } from './openapi/document.ts';
export type { Operation } from './openapi/operation.ts';
export { issuesOf, pointerOf } from './json-pointer.ts';
export { compilePages } from './page-rules.ts';
export { PageQuery, Pagination } from './pagination.ts';
export {
  checkPopup,
  mergeTriggerParameters,
  SIMPLE_TRIGGERS,
  TRIGGER_PARAMETERS,
  TRIGGERS,
} from './popup-rules.ts';
export type { SimpleTrigger, Trigger } from './popup-rules.ts';
export { Popup, PopupIn } from './popup.ts';
export { publicForm } from './public-form.ts';
export type { PublicForm } from './public-form.ts';
export { readInput } from './read-input.ts';
export type { InputReading } from './read-input.ts';
export {
  ExportQuery,
  InboundAccepted,
  InboundFields,
  SubmissionCreatedOut,
  SubmissionIn,
  SubmissionMetadata,
  SubmissionOut,
  SubmissionQuery,
} from './submission.ts';
export { parseTriggers, savedTriggers } from './trigger-plan.ts';
export type { Condition, TriggerPlan } from './trigger-plan.ts';
export { readTriggerText, triggerText } from './trigger-text.ts';
export type { TriggerProblem, TriggerSettings } from './trigger-text.ts';
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
} from './webhook.ts';
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
} from './task.ts';
export type {
  CallbackState,
  DecisionMode,
  ExpiryRule,
  TaskOutcome,
  TaskPriority,
  TaskStatus,
} from './task.ts';
export {
  daysOf,
  FormsStatsOut,
  FormsStatsQuery,
  POPUP_EVENT_TYPES,
  PopupEventIn,
  StatsOut,
  StatsQuery,
} from './popup-counters.ts';
export type { PopupEventType } from './popup-counters.ts';
export { judgePage, judgePopup } from './why-not-shown.ts';
export type { JudgedRule, PageView } from './why-not-shown.ts';
export { EmailLinkQuery, NotificationAddressOut } from './notification-address.ts';
