import type { EventType, WebhookEventType } from '@svcforms/contracts';

/** What programs need to use the API. */
export const developersTexts = {
  title: 'Developers',
  intro: 'Create a key, copy the code, and your program sends its first task.',
  containsKey: 'The code on this page contains the new key until you leave the page.',
  addresses: {
    title: 'Addresses',
    api: 'Base URL of the API',
    mcp: 'MCP server',
    docs: 'API reference',
    openApi: 'OpenAPI document',
  },
  keys: {
    title: 'API keys',
    text: 'Each program has its own key, with only the scopes it needs.',
    all: 'Manage keys',
  },
  quickstart: {
    title: 'Send your first task',
    text: 'This code requests an approval from your team. Approve it in the inbox.',
    form: 'Form',
    formId: 'Form ID',
    language: 'Language',
    inbox: 'Open the inbox',
    noForms: 'A task is about a form. Create one first.',
    createForm: 'Go to forms',
  },
  mcp: {
    title: 'Connect an agent',
    text: 'Agents request approvals through the MCP server. An agent key can’t decide them.',
    client: 'Client',
    steps: {
      'Claude Code': 'Run this command in your project.',
      Cursor: 'Add this to .cursor/mcp.json in your project.',
      'VS Code': 'Add this to .vscode/mcp.json in your project.',
      'OpenAI Agents SDK': 'Install the Python package openai-agents.',
      LangGraph: 'Install the Python package langchain-mcp-adapters.',
      'AI SDK': 'Install the npm package @ai-sdk/mcp.',
    },
  },
  events: {
    title: 'Events',
    text: 'A webhook of a form sends the events of that form. Account webhooks and the event stream have the events of all forms and tasks.',
    columns: { type: 'Event type', when: 'When', where: 'Available in', payload: 'Payload' },
    allWebhooks: 'All webhooks, event stream',
    accountWebhooks: 'Account webhooks, event stream',
    example: 'Show example',
    exampleOf: (type: string) => `Show example of ${type}`,
    full: 'With every property',
    minimal: 'With the properties that are always present',
    version: (version: string) => `Version ${version}, as in the header Svc-Payload-Version.`,
    schema: 'Schema in the API reference',
    taskEvents: {
      'hitl.task.created': 'A task was created',
      'hitl.task.completed': 'A task was approved, rejected or submitted',
      'hitl.task.expired': 'A task expired',
      'hitl.task.cancelled': 'A task was cancelled',
    } satisfies Record<Exclude<EventType, WebhookEventType>, string>,
  },
};
