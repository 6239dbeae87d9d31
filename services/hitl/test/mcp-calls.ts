/** The problem object of a failed tool call. */
interface Problem {
  code?: string;
  errors?: { pointer: string; message: string }[];
  next?: string;
}

export interface ToolResult {
  isError?: boolean;
  structuredContent?: Record<string, unknown>;
  /** Of a failed call; empty otherwise. */
  problem: Problem;
}

interface Message<T> {
  result?: T;
  error?: { code: number; message: string; data?: unknown };
}

let ids = 0;

/** Sends one JSON-RPC message to the MCP server at `url`, without a session. */
export async function sendRpc<T>(
  url: string,
  key: string,
  method: string,
  params: object = {},
): Promise<Message<T>> {
  const response = await fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params }),
  });
  const text = await response.text();
  return JSON.parse(text.startsWith('{') ? text : text.slice(text.lastIndexOf('data: ') + 6)) as Message<T>;
}

export async function listTools(url: string, key: string): Promise<{ name: string }[]> {
  const { result } = await sendRpc<{ tools: { name: string }[] }>(url, key, 'tools/list');
  return result?.tools ?? [];
}

/** Calls a tool. An error of the protocol is a result with `isError` too. */
export async function callTool(url: string, key: string, name: string, args: object): Promise<ToolResult> {
  const { result, error } = await sendRpc<ToolResult & { content: { text: string }[] }>(
    url,
    key,
    'tools/call',
    { name, arguments: args },
  );
  if (!result) return { isError: true, problem: { code: error?.message ?? '' } };
  return { ...result, problem: result.isError ? problemIn(result.content[0]?.text ?? '') : {} };
}

function problemIn(text: string): Problem {
  return text.startsWith('{') ? (JSON.parse(text) as Problem) : { code: text };
}
