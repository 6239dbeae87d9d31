/** The server scenarios of the MCP conformance suite that apply to this server: all must pass. */
export const APPLICABLE: readonly string[] = [
  'dns-rebinding-protection',
  'ping',
  'resources-list',
  'server-initialize',
  'tools-list',
];

const FIXTURE = 'calls a tool that only the reference server of the suite has';
const RESOURCE = 'reads a resource that only the reference server of the suite has';
const PROMPTS = 'the server has no prompts';
const ELICITATION = 'the server never elicits input: only people decide, in the inbox';
const STREAMS = 'checks nothing of servers that respond without a resumable stream';

/** The others, each with the reason why it doesn't apply. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'logging-set-level': 'the server sends no log messages',
  'completion-complete': 'the server completes no arguments',
  'tools-call-simple-text': FIXTURE,
  'tools-call-image': FIXTURE,
  'tools-call-audio': FIXTURE,
  'tools-call-embedded-resource': FIXTURE,
  'tools-call-mixed-content': FIXTURE,
  'tools-call-with-logging': FIXTURE,
  'tools-call-error': FIXTURE,
  'tools-call-with-progress': FIXTURE,
  'tools-call-sampling': 'the server never samples',
  'tools-call-elicitation': ELICITATION,
  'json-schema-2020-12': FIXTURE,
  'elicitation-sep1034-defaults': ELICITATION,
  'elicitation-sep1330-enums': ELICITATION,
  'server-sse-polling': STREAMS,
  'server-sse-multiple-streams': STREAMS,
  'resources-read-text': RESOURCE,
  'resources-read-binary': RESOURCE,
  'resources-templates-read': RESOURCE,
  'resources-subscribe': 'the server has no subscriptions to resources',
  'resources-unsubscribe': 'the server has no subscriptions to resources',
  'prompts-list': PROMPTS,
  'prompts-get-simple': PROMPTS,
  'prompts-get-with-args': PROMPTS,
  'prompts-get-embedded-resource': PROMPTS,
  'prompts-get-with-image': PROMPTS,
};
