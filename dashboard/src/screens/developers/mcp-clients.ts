interface McpServer {
  /** The address of the MCP server. */
  url: string;
  apiKey: string;
}

const jsonConfig = (value: unknown): string => JSON.stringify(value, null, 2);
const authorization = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` });

/** What connects each client to the MCP server: a command, a configuration file, or code. */
export const MCP_CLIENTS = {
  'Claude Code': ({ url, apiKey }) =>
    `claude mcp add --transport http svcforms ${url} --header "Authorization: Bearer ${apiKey}"`,
  Cursor: ({ url, apiKey }) =>
    jsonConfig({ mcpServers: { svcforms: { url, headers: authorization(apiKey) } } }),
  'VS Code': ({ url, apiKey }) =>
    jsonConfig({ servers: { svcforms: { type: 'http', url, headers: authorization(apiKey) } } }),
  'OpenAI Agents SDK': ({ url, apiKey }) => `from agents import Agent
from agents.mcp import MCPServerStreamableHttp

headers = {"Authorization": ${JSON.stringify(`Bearer ${apiKey}`)}}
async with MCPServerStreamableHttp(params={"url": ${JSON.stringify(url)}, "headers": headers}) as server:
    agent = Agent(name="Assistant", mcp_servers=[server])`,
  LangGraph: ({ url, apiKey }) => `from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient({
    "svcforms": {
        "transport": "streamable_http",
        "url": ${JSON.stringify(url)},
        "headers": {"Authorization": ${JSON.stringify(`Bearer ${apiKey}`)}},
    }
})
tools = await client.get_tools()`,
  'AI SDK': ({ url, apiKey }) => `import { createMCPClient } from '@ai-sdk/mcp';

const client = await createMCPClient({
  transport: {
    type: 'http',
    url: ${JSON.stringify(url)},
    headers: { Authorization: ${JSON.stringify(`Bearer ${apiKey}`)} },
  },
});
const tools = await client.tools();`,
} as const satisfies Record<string, (server: McpServer) => string>;
export type McpClient = keyof typeof MCP_CLIENTS;
