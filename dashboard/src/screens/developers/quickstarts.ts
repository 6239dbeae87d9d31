import { shellWord } from '../../components/shell-word.ts';

/** What the snippets need to run: where the product is, a key, and a task to create. */
export interface QuickstartValues {
  /** Without a slash at the end. */
  origin: string;
  apiKey: string;
  formId: string;
  prefill: Readonly<Record<string, unknown>>;
}

const TITLE = 'My first task';

/** Programs that create a task. All but the curl command wait until a person decides it. */
export const QUICKSTARTS = {
  curl: ({ origin, apiKey, formId, prefill }) => `curl ${origin}/api/mcp/tasks \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  --data-binary ${shellWord(JSON.stringify({ templateId: formId, title: TITLE, prefill }))}`,

  Python: ({ origin, apiKey, formId, prefill }) => `# pip install ./sdks/python
import json

from svcforms import SvcForms

client = SvcForms(base_url=${JSON.stringify(origin)}, api_key=${JSON.stringify(apiKey)})
prefill = json.loads(${JSON.stringify(JSON.stringify(prefill))})
task = client.tasks.request_and_wait(${JSON.stringify(formId)}, title=${JSON.stringify(TITLE)}, prefill=prefill)
print(task.status, task.form_data)`,

  TypeScript: ({
    origin,
    apiKey,
    formId,
    prefill,
  }) => `const tasks = ${JSON.stringify(`${origin}/api/mcp/tasks`)};
const headers = {
  Authorization: ${JSON.stringify(`Bearer ${apiKey}`)},
  'Content-Type': 'application/json',
};

async function call(url: string, body?: object) {
  const response = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  const { data, message } = await response.json();
  if (!response.ok) throw new Error(message);
  return data;
}

let task = await call(tasks, {
  templateId: ${JSON.stringify(formId)},
  title: ${JSON.stringify(TITLE)},
  prefill: ${JSON.stringify(prefill)},
});
while (task.status === 'awaiting') task = await call(\`\${tasks}/\${task.id}?wait=50\`);
console.log(task.status, task.formData);`,
} as const satisfies Record<string, (values: QuickstartValues) => string>;
export type QuickstartLanguage = keyof typeof QUICKSTARTS;
