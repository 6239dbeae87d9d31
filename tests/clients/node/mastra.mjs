import { Agent } from '@mastra/core/agent';
import { MCPClient } from '@mastra/mcp';
import { MockLanguageModelV3 } from 'ai/test';
import { askAndWait, headers, url } from './steps.mjs';

// Mastra puts the name of the server before that of each of its tools.
const PREFIX = 'svcforms_';

const client = new MCPClient({ servers: { svcforms: { url: new URL(url), requestInit: { headers } } } });
const tools = await client.listTools();

/** Lets a scripted model call the tool, so that the schema and the result go through Mastra. */
async function call(name, args) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const model = new MockLanguageModelV3({
    doGenerate: {
      content: [
        {
          type: 'tool-call',
          toolCallId: 'call_1',
          toolName: `${PREFIX}${name}`,
          input: JSON.stringify(args),
        },
      ],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    },
  });
  const agent = new Agent({ id: 'refunds', name: 'Refunds', instructions: 'Refund.', model, tools });
  const { toolResults } = await agent.generate('Refund?', { maxSteps: 1 });
  return toolResults[0].payload.result;
}

const names = Object.keys(tools).map((name) => name.slice(PREFIX.length));
await askAndWait(names, call);
await client.disconnect();
