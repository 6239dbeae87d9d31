import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { developersTexts } from '../../texts/developers.ts';
import { MCP_CLIENTS, type McpClient } from './mcp-clients.ts';

const texts = developersTexts.mcp;

/** How an agent connects to the MCP server. */
export function McpPanel({ url, apiKey }: { url: string; apiKey: string }) {
  const [client, setClient] = useState<McpClient>('Claude Code');
  return (
    <>
      <Text>{texts.text}</Text>
      <NativeSelect
        label={texts.client}
        value={client}
        onChange={({ currentTarget }) => setClient(currentTarget.value as McpClient)}
        data={Object.keys(MCP_CLIENTS)}
      />
      <Text>{texts.steps[client]}</Text>
      <CodeBlock title={client} code={MCP_CLIENTS[client]({ url, apiKey })} />
    </>
  );
}
