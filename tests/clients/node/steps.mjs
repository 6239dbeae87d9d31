export const { MCP_URL: url = '', API_KEY: apiKey, FORM_ID: formId } = process.env;
export const headers = { Authorization: `Bearer ${apiKey}` };

/**
 * What every client does: it lists the tools, asks for an approval, reports the task id, and waits
 * for the decision.
 *
 * @param {readonly string[]} toolNames
 * @param {(name: string, args: Record<string, unknown>) => Promise<any>} call Calls a tool.
 */
export async function askAndWait(toolNames, call) {
  let task = await call('request_approval', { formId, title: 'Refund?', dedupeKey: `node-${process.pid}` });
  say({ tools: toolNames, taskId: task.id });
  while (task.pending) task = await call('wait_for_task', { taskId: task.id });
  say({ outcome: task.outcome });
}

/**
 * Says something to the test, as a line of JSON.
 *
 * @param {object} what
 */
export function say(what) {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
