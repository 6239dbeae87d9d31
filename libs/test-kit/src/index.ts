export { atEnd, endAll } from './at-end.ts';
export { startBundled } from './bundled-process.ts';
export type { BundledProcess } from './bundled-process.ts';
export { testCertificate } from './certificate.ts';
export { chromiumPath, headlessShellPath } from './chromium-path.ts';
export { createClient } from './client.ts';
export type { ApiResponse, ApiResponseBody, CallOptions, Client } from './client.ts';
export { describeUnless, describeWith } from './describe-with.ts';
export { sharedMongo, startMongo, startNats, startNatsCluster } from './backends.ts';
export type { Backend, MongoBackend, NatsCluster } from './backends.ts';
export { readEvents } from './event-reader.ts';
export type { EventReader } from './event-reader.ts';
export { freePort } from './free-port.ts';
export { startWebhookEndpoint } from './webhook-endpoint.ts';
export type {
  WebhookEndpoint,
  EndpointResponse,
  WebhookEndpointOptions,
  ReceivedRequest,
} from './webhook-endpoint.ts';
export { startMailServer } from './mail-server.ts';
export type { MailServer, ReceivedMail } from './mail-server.ts';
export { startOtlpSink } from './otlp-sink.ts';
export type { OtlpSink, SinkSpan } from './otlp-sink.ts';
export { installFolder, installOnce } from './install-once.ts';
export { createGate } from './gate.ts';
export { poll, TEST_TIMEOUT_MS } from './poll.ts';
export { runToEnd, startProcess } from './product-process.ts';
export type { ProcessName, ProductProcess } from './product-process.ts';
export { prepareProgram } from './program-file.ts';
export type { ProgramFile } from './program-file.ts';
export { createPythonEnvironment, installFromPyPI } from './python-environment.ts';
export { root } from './root.ts';
export { startS3Server } from './s3-server.ts';
export type { S3Server } from './s3-server.ts';
export {
  addWebhook,
  contactForm,
  createForm,
  createFormWithWebhook,
  newApiKey,
  openInbound,
  sendInbound,
  testSettings,
} from './scenario.ts';
export type { AddedWebhook, OpenedInbound } from './scenario.ts';
export { sessionCookie } from './session-cookie.ts';
export { tempFolder } from './temp-folder.ts';
export { timersTurn } from './timers-turn.ts';
export { isSignedWithKey } from './public-key.ts';
export { startSlack } from './slack-server.ts';
export type { SlackMessage, SlackRequest, SlackServer, SlackState } from './slack-server.ts';
