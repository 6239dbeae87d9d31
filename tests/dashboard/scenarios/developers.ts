import type { TaskOut } from '@svcforms/contracts';
import { createForm, describeUnless, poll, root, tempFolder } from '@svcforms/test-kit';
import { transformSync } from '@swc/core';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { violationsInBoth } from '../support/accessibility.ts';
import { OWNER, type Fixture } from '../support/fixture.ts';
import { splitWords } from '../support/split-words.ts';

const FIELDS = [
  { name: 'customer', label: 'Customer', type: 'email', required: true },
  { name: 'note', label: "The customer's note", type: 'text', required: true, minLength: 20 },
  { name: 'amount', label: 'Amount', type: 'number', required: true },
  { name: 'terms', label: 'I agree to the [terms](https://example.com)', type: 'consent', required: true },
];
/** From the login to the code for the first task. */
const MOST_CLICKS = 6;
/** A Python with the SDK, if `npm test` has installed one for the tests of the SDK. */
const PYTHON = pythons(`${root}sdks/python/.cache`)[0];

const run = promisify(execFile);

export function developersScenarios(fixture: () => Fixture): void {
  const code = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).innerText();

  async function tasksOf(formId: string): Promise<TaskOut[]> {
    const { body } = await fixture().client.get<TaskOut[]>(`/api/mcp/tasks?templateId=${formId}`, {
      expect: 200,
    });
    return body.data;
  }

  describe('the developers screen', () => {
    it(`leads from the login to code that creates a task in at most ${MOST_CLICKS} clicks`, async () => {
      const { open, client } = fixture();
      const form = await createForm(client, { name: `First task ${Date.now()}`, fields: FIELDS });
      const draft = { name: `Not published ${Date.now()}`, fields: FIELDS };
      await client.post('/api/forms?draft=true', { body: draft, expect: 201 });
      const page = await open('/login', { as: null });
      let clicks = 0;
      const click = async (target: Locator) => {
        clicks += 1;
        await target.click();
      };
      await page.getByLabel('Email').fill(OWNER.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(OWNER.password);
      await click(page.getByRole('button', { name: 'Log in' }));
      await click(page.getByRole('link', { name: 'Developers' }));
      await click(page.getByRole('button', { name: 'Create key' }));
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      expect(await dialog.getByLabel('Purpose').inputValue()).toBe('agent');
      expect(await violations(page)).toEqual([]);
      await dialog.getByLabel('Name').fill(`Refund agent ${Date.now()}`);
      await click(dialog.getByRole('button', { name: 'Create key' }));
      const shown = page.getByRole('dialog', { name: 'API key created' });
      const key = await shown.getByRole('textbox').inputValue();
      await click(shown.getByRole('button', { name: 'I’ve copied it' }));
      await click(page.getByRole('button', { name: 'Copy: curl' }));
      expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);

      const command = await page.evaluate(() => navigator.clipboard.readText());
      expect(command).toContain(key);
      // The newest published form is the first choice.
      expect(await code(page, 'Form ID')).toBe(form.id);
      await run('sh', ['-c', command.replace('curl ', 'curl -sS ')]);
      expect(await tasksOf(form.id)).toMatchObject([{ title: 'My first task', status: 'awaiting' }]);
    });

    it('loads more forms for the first task, and keeps the parts of event types whole on a small laptop', async () => {
      const { open, client } = fixture();
      const oldest = await createForm(client, { name: `The oldest ${Date.now()}`, fields: FIELDS });
      await Promise.all(Array.from({ length: 25 }, (_, n) => createForm(client, { name: `Newer ${n}` })));
      const page = await open('/developers', { context: { viewport: { width: 1024, height: 768 } } });
      await page.getByRole('button', { name: 'Load more forms' }).click();
      await page.getByLabel('Form', { exact: true }).selectOption(oldest.id);
      await page.getByRole('button', { name: 'Show example of hitl.task.created' }).waitFor();
      expect(await splitWords(page, { within: '.data-table code', words: String.raw`\p{L}+` })).toEqual([]);
    });

    it('shows the URL, the least scopes, and the steps of every agent that connects', async () => {
      const { open, baseUrl } = fixture();
      const page = await open('/developers');
      await page.getByRole('heading', { name: 'Connect an agent' }).waitFor();
      expect(await code(page, 'Minimum scopes')).toBe('forms:read tasks:create tasks:read');
      const client = page.getByLabel('Client', { exact: true });
      const names = await client.getByRole('option').allInnerTexts();
      expect(names).toEqual(
        expect.arrayContaining(['Claude', 'ChatGPT', 'Cursor', 'LangGraph', 'OpenAI Agents SDK', 'AI SDK']),
      );
      expect(names).toEqual(expect.arrayContaining(['Python SDK', 'TypeScript SDK']));
      for (const name of names) {
        await client.selectOption(name);
        const address = name.endsWith(' SDK') && !/^(OpenAI|AI) /.test(name) ? baseUrl : `${baseUrl}/api/mcp`;
        expect([name, await code(page, name)]).toEqual([name, expect.stringContaining(address)]);
      }
      expect(await violationsInBoth(page)).toEqual([]);
    });

    it('shows the payload of an event, whole and with what is always present', async () => {
      const page = await fixture().open('/developers');
      await page.getByRole('button', { name: 'Show example of hitl.task.created' }).click();
      const dialog = page.getByRole('dialog', { name: 'hitl.task.created' });
      const [full, minimal] = await Promise.all(
        ['With every property', 'With the properties that are always present'].map(
          async (name) => JSON.parse(await dialog.getByRole('region', { name }).innerText()) as object,
        ),
      );
      expect(full).toMatchObject({ eventType: 'hitl.task.created', data: { title: 'Refund of 120 EUR' } });
      expect(minimal).toEqual({ ...full, data: { ...(full as { data: object }).data, title: undefined } });
      expect(await violations(page)).toEqual([]);
    });

    /** Runs the code for the language, approves its task, and returns what the program prints. */
    async function printedBy(language: string, start: (program: string) => Promise<string>): Promise<string> {
      const { open, client, apiKey } = fixture();
      const form = await createForm(client, { name: `${language} ${Date.now()}`, fields: FIELDS });
      const page = await open('/developers');
      await page.getByLabel('Form', { exact: true }).selectOption(form.id);
      await page.getByText(language, { exact: true }).click();
      const printed = start((await code(page, language)).replace('svc_key_…', apiKey));
      const task = await poll(async () => (await tasksOf(form.id))[0], { what: 'the task' });
      await client.post(`/api/mcp/tasks/${task.id}/decision`, { body: { outcome: 'approved' }, expect: 200 });
      return printed;
    }

    async function outputOf(program: string, file: string, text: string): Promise<string> {
      const path = join(tempFolder(), file);
      writeFileSync(path, text);
      return (await run(program, [path])).stdout;
    }

    it('has TypeScript that waits for the decision', async () => {
      const printed = await printedBy('TypeScript', (program) => {
        const { code: script } = transformSync(program, {
          jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        });
        return outputOf(process.execPath, 'first-task.mjs', script);
      });
      expect(printed).toMatch(/^approved \{[^]*customer: 'ada@example.com'/);
    });

    describeUnless(PYTHON ? '' : 'npm test has not installed the Python SDK', 'its Python code', () => {
      it('waits for the decision', async () => {
        const printed = await printedBy('Python', (program) =>
          outputOf(PYTHON ?? '', 'first_task.py', program),
        );
        expect(printed).toMatch(/^approved \{.*'customer': 'ada@example.com'/);
      });
    });
  });
}

function pythons(folder: string): string[] {
  const environments = existsSync(folder) ? readdirSync(folder) : [];
  return environments.map((name) => join(folder, name, 'bin', 'python')).filter((path) => existsSync(path));
}
