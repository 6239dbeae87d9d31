interface McpServer {
  /** The URL of the MCP server. */
  url: string;
  apiKey: string;
}

interface McpClientEntry {
  /** What connects the client: a URL, a command, a configuration file, or code. */
  code: (server: McpServer) => string;
  /** Whether the user logs in and approves the client, which then needs no key. */
  logsIn: boolean;
}

const jsonConfig = (value: unknown): string => JSON.stringify(value, null, 2);
const authorization = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` });
const origin = (url: string) => new URL(url).origin;

/**
 * How each client connects. The first ones ask the user; the others, which are programs, have a
 * key.
 */
export const MCP_CLIENTS = {
  Claude: { logsIn: true, code: ({ url }) => url },
  'Claude Code': {
    logsIn: true,
    code: ({ url }) => `claude mcp add --transport http svcforms ${url}`,
  },
  ChatGPT: { logsIn: true, code: ({ url }) => url },
  Cursor: {
    logsIn: false,
    code: ({ url, apiKey }) =>
      jsonConfig({ mcpServers: { svcforms: { url, headers: authorization(apiKey) } } }),
  },
  'VS Code': {
    logsIn: true,
    code: ({ url }) => jsonConfig({ servers: { svcforms: { type: 'http', url } } }),
  },
  'OpenAI Agents SDK': {
    logsIn: false,
    code: ({ url, apiKey }) => `from agents import Agent
from agents.mcp import MCPServerStreamableHttp

headers = {"Authorization": ${JSON.stringify(`Bearer ${apiKey}`)}}
async with MCPServerStreamableHttp(params={"url": ${JSON.stringify(url)}, "headers": headers}) as server:
    agent = Agent(name="Assistant", mcp_servers=[server])`,
  },
  LangGraph: {
    logsIn: false,
    code: ({ url, apiKey }) => `from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient({
    "svcforms": {
        "transport": "streamable_http",
        "url": ${JSON.stringify(url)},
        "headers": {"Authorization": ${JSON.stringify(`Bearer ${apiKey}`)}},
    }
})
tools = await client.get_tools()`,
  },
  'AI SDK': {
    logsIn: false,
    code: ({ url, apiKey }) => `import { createMCPClient } from '@ai-sdk/mcp';

const client = await createMCPClient({
  transport: {
    type: 'http',
    url: ${JSON.stringify(url)},
    headers: { Authorization: ${JSON.stringify(`Bearer ${apiKey}`)} },
  },
});
const tools = await client.tools();`,
  },
  'Python SDK': {
    logsIn: false,
    code: ({ url, apiKey }) => `from svcforms import SvcForms

client = SvcForms(base_url=${JSON.stringify(origin(url))}, api_key=${JSON.stringify(apiKey)})`,
  },
  'TypeScript SDK': {
    logsIn: false,
    code: ({ url, apiKey }) => `import { SvcForms } from '@svcforms/sdk';

const client = new SvcForms({ baseUrl: ${JSON.stringify(origin(url))}, apiKey: ${JSON.stringify(apiKey)} });`,
  },
} as const satisfies Record<string, McpClientEntry>;
export type McpClient = keyof typeof MCP_CLIENTS;
