export { jsonObject } from './json-object.ts';
export { newSlackAction, readSlackAction } from './slack-action.ts';
export type { SlackAction } from './slack-action.ts';
export { createSlackApi } from './slack-api.ts';
export type { SlackApi, SlackReply } from './slack-api.ts';
export { slackConfig } from './slack-config.ts';
export type { SlackConfig } from './slack-config.ts';
export { newSlackLink, readSlackLink } from './slack-link.ts';
export { isSignedBySlack } from './slack-signature.ts';
