import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { path } from '../api/api.ts';
import { Failure } from '../failure.ts';
import { isOn, onlyArg, printTable, text, type Command, type Invocation } from './command.ts';
import { writeOutput } from './output-file.ts';

interface Form {
  id: string;
  name: string;
  updatedAt: string;
}

export const formsList: Command = {
  name: 'forms list',
  args: '',
  summary: 'List forms, newest first',
  options: {
    search: { type: 'string', short: 'q', value: 'text', help: 'Only forms whose name contains the text' },
    json: { type: 'boolean', help: 'Print one form per line, as JSON' },
  },
  async run(invocation) {
    const { screen } = invocation;
    const rows = [['ID', 'UPDATED', 'NAME']];
    for await (const form of invocation.api().list<Form>('/api/forms', { q: text(invocation, 'search') })) {
      if (isOn(invocation, 'json')) screen.print(JSON.stringify(form));
      else rows.push([form.id, form.updatedAt.slice(0, 16).replace('T', ' '), form.name]);
    }
    if (!isOn(invocation, 'json')) printTable(screen, rows);
    return 0;
  },
};

export const formsExport: Command = {
  name: 'forms export',
  args: '<form>',
  summary: 'Write a form as a template, without ids and dates',
  options: {
    output: { type: 'string', short: 'o', value: 'file', help: 'The file (default: stdout)' },
  },
  async run(invocation) {
    const form = onlyArg(invocation, 'The id of the form');
    const template = await invocation.api().get<object>(path`/api/forms/${form}/export`);
    await writeOutput(text(invocation, 'output'), jsonOf(template), invocation.screen);
    return 0;
  },
};

async function* jsonOf(value: object): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

export const formsImport: Command = {
  name: 'forms import',
  args: '<file>',
  summary: 'Create a form from a template, from a file or stdin (-)',
  options: {
    name: { type: 'string', value: 'name', help: 'The name of the form, instead of that of the template' },
    json: { type: 'boolean', help: 'Print the whole form as JSON' },
  },
  async run(invocation) {
    const template = await readTemplate(invocation, onlyArg(invocation, 'The file of the template'));
    const name = text(invocation, 'name');
    const body = name === undefined ? template : { ...template, name };
    const form = await invocation.api().post<Form>('/api/forms/import', body);
    invocation.screen.print(isOn(invocation, 'json') ? JSON.stringify(form) : form.id);
    return 0;
  },
};

async function readTemplate({ stdin }: Invocation, file: string): Promise<object> {
  const source = await (file === '-' ? readAll(stdin) : readFile(file, 'utf8')).catch((error: Error) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(`${file} can't be read (${code ?? message}).`);
  });
  try {
    // Editors on Windows begin files with a byte order mark.
    const template = JSON.parse(source.replace(/^\uFEFF/, '')) as unknown;
    if (typeof template === 'object' && template !== null && !Array.isArray(template)) return template;
  } catch {
    // The sentence below says it.
  }
  throw new Failure(`${file} isn't a template: a JSON object as \`svcforms forms export\` writes it.`);
}
