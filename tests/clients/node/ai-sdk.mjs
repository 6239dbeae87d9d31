import { createMCPClient } from '@ai-sdk/mcp';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { askAndWait, headers, url } from './steps.mjs';

const client = await createMCPClient({ transport: { type: 'http', url, headers } });
const tools = await client.tools();

/** Lets a scripted model call the tool, so that the schema and the result go through the AI SDK. */
async function call(name, args) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const model = new MockLanguageModelV3({
    doGenerate: {
      content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: name, input: JSON.stringify(args) }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    },
  });
  const { toolResults } = await generateText({ model, tools, prompt: 'Refund?', stopWhen: stepCountIs(1) });
  return toolResults[0].output.structuredContent ?? JSON.parse(toolResults[0].output.content[0].text);
}

await askAndWait(Object.keys(tools), call);
await client.close();
