import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { askAndWait, headers, url } from './steps.mjs';

const client = new Client({ name: 'clients', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
await askAndWait(
  tools.map(({ name }) => name),
  async (name, args) => (await client.callTool({ name, arguments: args })).structuredContent,
);
await client.close();
