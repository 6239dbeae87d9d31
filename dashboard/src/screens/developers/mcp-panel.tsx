import { NativeSelect, Text } from '@mantine/core';
import { LEAST_AGENT_SCOPES } from '@svcforms/contracts';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { TextLink } from '../../components/links.tsx';
import { developersTexts } from '../../texts/developers.ts';
import { MCP_CLIENTS, type McpClient } from './mcp-clients.ts';

const texts = developersTexts.mcp;

/** How an agent connects to the MCP server: with the user's approval, or with a key. */
export function McpPanel({ url, apiKey }: { url: string; apiKey: string }) {
  const [client, setClient] = useState<McpClient>('Claude');
  const { code, logsIn } = MCP_CLIENTS[client];
  return (
    <>
      <Text>{texts.text}</Text>
      <CodeBlock title={texts.scopes} code={LEAST_AGENT_SCOPES.join(' ')} />
      <Text>{texts.moreScopes}</Text>
      <NativeSelect
        label={texts.client}
        value={client}
        onChange={({ currentTarget }) => setClient(currentTarget.value as McpClient)}
        data={Object.keys(MCP_CLIENTS)}
      />
      <Text>
        {texts.steps[client]} {logsIn ? texts.logsIn : texts.needsKey}
      </Text>
      <CodeBlock title={client} code={code({ url, apiKey })} />
      <TextLink to="/settings/agents">{texts.all}</TextLink>
    </>
  );
}
