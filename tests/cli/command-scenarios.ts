import type { FormOut } from '@svcforms/contracts';
import { addWebhook, atEnd, poll, tempFolder } from '@svcforms/test-kit';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { CliFixture } from './fixture.ts';
import { startProgram } from './program.ts';

export function commandScenarios(fixture: () => CliFixture): void {
  it('lists, exports and imports forms', async () => {
    const { client, form, run } = fixture();
    const listed = await run('forms list');
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(new RegExp(`^ID +UPDATED +NAME\\n(.*\\n)*${form.id}  .+  Contact\\n`));
    const found = await run('forms list --search nothing-like-this --json');
    expect(found).toEqual({ code: 0, stdout: '', stderr: '' });

    const file = join(tempFolder(), 'contact.json');
    expect(await run(`forms export ${form.id} --output ${file}`)).toMatchObject({ code: 0, stdout: '' });
    writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8')}`);
    const imported = await run(`forms import ${file} --name Copy`);
    const { data: copy } = (
      await client.get<FormOut>(`/api/forms/${imported.stdout.trim()}`, { expect: 200 })
    ).body;
    expect(copy).toMatchObject({ name: 'Copy', fields: form.fields, settings: form.settings });
    const pipe = join(tempFolder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const [read, piped] = await Promise.all([
      readFile(pipe, 'utf8'),
      run(`forms export ${copy.id} --output ${pipe}`),
    ]);
    expect(piped).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse(read)).toMatchObject({ name: 'Copy' });
    const printed = await run(`forms export ${copy.id}`);
    const again = await run('forms import - --json', undefined, printed.stdout);
    expect(JSON.parse(again.stdout)).toMatchObject({ name: 'Copy', fields: form.fields });
    for (const id of [copy.id, (JSON.parse(again.stdout) as FormOut).id])
      await client.delete(`/api/forms/${id}`, { expect: 204 });
  });

  it('prints nothing that controls a terminal', async () => {
    const { client, run } = fixture();
    const name = 'Go\u001b[2J\u009b31m\nfrm_1  \u202egnp';
    const { data: form } = (
      await client.post<FormOut>('/api/forms', { body: { name, fields: [] }, expect: 201 })
    ).body;
    const { stdout } = await run('forms list --search frm_1');
    expect(stdout.split('\n')[1]).toMatch(/ {2}Go\uFFFD\[2J\uFFFD31m\uFFFDfrm_1 {2}\uFFFDgnp$/);
    const json = await run('forms list --search frm_1 --json');
    expect(JSON.parse(json.stdout)).toMatchObject({ id: form.id, name });
    const refused = await run('events tail --events=\u001b[2J');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"\uFFFD[2J" is not an event type'),
    });
    await client.delete(`/api/forms/${form.id}`, { expect: 204 });
  });

  it.each(['csv', 'ndjson'])('exports submissions as %s, byte for byte as the API', async (format) => {
    const { client, form, run, submit } = fixture();
    await submit('é "quoted", 1');
    const path = `/api/forms/${form.id}/submissions/export?format=${format}`;
    const expected = (await client.get(path, { expect: 200 })).text;
    const options = `submissions export ${form.id} --format ${format}`;
    expect(await run(options)).toEqual({ code: 0, stdout: expected, stderr: '' });
    const folder = tempFolder();
    const file = join(folder, 'export');
    expect((await run(`${options} -o ${file} --since 2020-01-01T00:00:00Z`)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(expected);
    expect(readdirSync(folder)).toEqual(['export']);
  });

  it('refuses the page of a proxy in place of an export or of events', async () => {
    const { endpoint, run, userEnv } = fixture();
    const page = { headers: { 'Content-Type': 'text/html' }, body: '<html>login</html>' };
    const { url } = await endpoint(() => page);
    const folder = tempFolder();
    for (const [command, type] of [
      [`submissions export frm_1 --output ${folder}/export.csv`, 'text/csv'],
      ['submissions export frm_1 --format ndjson', 'application/x-ndjson'],
      ['events tail', 'text/event-stream'],
    ] as const)
      expect(await run(command, { ...userEnv(), SVC_BASE_URL: url })).toEqual({
        code: 1,
        stdout: '',
        stderr: `${url} sent no ${type}; check SVC_BASE_URL and what is in front of it.\n`,
      });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('writes a file for its owner, and keeps the mode of an existing file and a link to it', async () => {
    const { form, run, submit } = fixture();
    await submit('private');
    const folder = tempFolder();
    const [fresh, shared, link] = ['fresh', 'shared', 'link'].map((name) => join(folder, name));
    writeFileSync(shared ?? '', 'old');
    chmodSync(shared ?? '', 0o664);
    symlinkSync('shared', link ?? '');
    for (const file of [fresh, link])
      expect((await run(`submissions export ${form.id} -o ${file}`)).code).toBe(0);
    expect([fresh, shared].map((file) => statSync(file ?? '').mode & 0o777)).toEqual([0o600, 0o664]);
    expect(lstatSync(link ?? '').isSymbolicLink()).toBe(true);
    expect(readFileSync(shared ?? '', 'utf8')).toBe(readFileSync(fresh ?? '', 'utf8'));
    expect(readdirSync(folder).sort()).toEqual(['fresh', 'link', 'shared']);
    expect(await run(`submissions export ${form.id} -o ${folder}`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("can't be written (EISDIR)"),
    });
  });

  it('writes the export of one run when two have the same file', async () => {
    const { userEnv } = fixture();
    const exports: ServerResponse[] = [];
    const server = createHttpServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv' });
      exports.push(response);
      response.write(`begin ${exports.length}\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { ...userEnv(), SVC_BASE_URL: `http://127.0.0.1:${port}` };
    const folder = tempFolder();
    const args = ['submissions', 'export', 'frm_1', '--output', join(folder, 'export.csv')];
    const runs = [startProgram(args, env), startProgram(args, env)];
    const begun = () => readdirSync(folder).filter((name) => statSync(join(folder, name)).size > 0);
    await poll(() => exports.length === 2 && begun().length === 2, { what: 'a part of each export' });
    for (const [index, response] of exports.entries()) response.end(`end ${index + 1}\n`);
    expect(await Promise.all(runs.map(({ exited }) => exited))).toEqual([0, 0]);
    expect(readdirSync(folder)).toEqual(['export.csv']);
    expect(readFileSync(join(folder, 'export.csv'), 'utf8')).toMatch(/^begin (\d)\nend \1\n$/);
  });

  it('shows events as they happen', async () => {
    const { createTask, submit, userEnv } = fixture();
    const plain = startProgram(['events', 'tail', '--events', 'form.*,hitl.*'], userEnv());
    const json = startProgram(['events', 'tail', '--json'], userEnv());
    await Promise.all([plain.waitFor('Ready.'), json.waitFor('Ready.')]);
    const submissionId = await submit('watched');
    const task = await createTask('watched');
    await poll(() => json.lines().length === 3 && plain.stdout.split('\n').length === 3, {
      what: 'the events',
    });
    expect(plain.stdout).toMatch(
      new RegExp(`^\\S+Z  form\\.submission\\.new  +${submissionId}  frm_\\w+\\n`),
    );
    expect(plain.stdout).toContain(task.id);
    expect(plain.stdout).not.toContain('decision.requested');
    expect(json.lines()[0]).toMatchObject({
      position: expect.stringMatching(/^\w+-[\d.]+$/),
      type: 'form.submission.new',
      data: { submission: { message: 'watched' } },
    });
    expect(await Promise.all([plain.end('SIGINT'), json.end('SIGTERM')])).toEqual([0, 0]);
  });

  it('tests webhooks of the account and of forms', async () => {
    const { addAccountWebhook, client, endpoint, form, run } = fixture();
    const receiver = await endpoint(({ path }) => ({ status: path === '/broken' ? 500 : 200 }));
    const ofAccount = await addAccountWebhook(receiver.url, ['form.submission.new', 'hitl.task.expired']);
    const ofForm = await addWebhook(client, form.id, { url: `${receiver.url}/broken` });
    const sent = await run(`webhooks test ${ofAccount.id} --event hitl.task.expired`);
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Delivered: 200 after \d+ ms\n$/) });
    expect(receiver.requests[0]?.headers['svc-test']).toBe('true');
    expect(String(receiver.requests[0]?.rawBody)).toContain('hitl.task.expired');
    const failed = await run(`webhooks test ${ofForm.id} --form ${form.id} --json`);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ delivered: false, status: 500 });
    expect(await run(`webhooks test ${ofForm.id}`)).toMatchObject({
      code: 1,
      stderr: `There is no account webhook ${ofForm.id}; for a webhook of a form, add --form frm_….\n`,
    });
    await client.delete(`/api/webhooks/${ofAccount.id}`, { expect: 204 });
    await client.delete(`/api/forms/${form.id}/webhooks/${ofForm.id}`, { expect: 204 });
  });

  it('stores a login for one server, readable only by its owner, and deletes it', async () => {
    const { apiKey, keyWith, product, run } = fixture();
    const env = { HOME: tempFolder() };
    const file = join(env.HOME, '.config/svcforms/credentials.json');
    const refused = await run(`login --base-url ${product.url}`, env, 'svc_key_wrong');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('refused the API key') });
    expect(existsSync(file)).toBe(false);
    const limited = await run(`login --base-url ${product.url}`, env, await keyWith(['events:read']));
    expect(limited).toMatchObject({ code: 0, stdout: expect.stringContaining('a limited key') });
    const loggedIn = await run(`login --base-url ${product.url}/`, env, apiKey);
    expect(loggedIn).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Logged in to ${product.url} with`),
    });
    expect(loggedIn.stdout + loggedIn.stderr).not.toContain(apiKey);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run('forms list', env)).code).toBe(0);
    // No other server gets the key.
    const elsewhere = await run('forms list', { ...env, SVC_BASE_URL: 'http://localhost:9' });
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no API key') });
    expect((await run('logout', env)).code).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(apiKey);
    expect((await run('forms list', { ...env, SVC_BASE_URL: product.url })).code).toBe(1);
  });

  it('says in one sentence what to do about a refusal', async () => {
    const { form, keyWith, product, run, userEnv } = fixture();
    const limited = userEnv(await keyWith(['forms:read']));
    const wrong = userEnv('svc_key_wrong');
    const folder = tempFolder();
    writeFileSync(join(folder, 'bad.json'), '{"template": 1}');
    const away = { ...userEnv(), SVC_BASE_URL: 'http://127.0.0.1:9' };
    const sentences = [
      [
        'forms list',
        wrong,
        `${product.url} refused the API key: it is wrong, expired or deleted; set SVC_API_KEY`,
      ],
      ['listen -f :3000', wrong, `${product.url} refused the API key`],
      ['listen -f :3000', limited, 'The API key lacks the scope events:read; create a key that has it'],
      [`submissions export ${form.id} -o ${folder}/x`, limited, 'lacks the scope submissions:read'],
      [
        'events tail -e nothing.*',
        userEnv(),
        '"nothing.*" is not an event type; use one of hitl.task.created',
      ],
      ['forms export frm_1', userEnv(), '(NOT_FOUND).'],
      [`forms import ${folder}/bad.json`, userEnv(), '/name is refused: '],
      [`forms import ${folder}/none.json`, userEnv(), "none.json can't be read (ENOENT)."],
      [`submissions export ${form.id} -o ${folder}/none/x`, userEnv(), "can't be written (ENOENT)"],
      ['forms list', away, 'http://127.0.0.1:9 '],
      ['forms list', { ...userEnv(), SVC_BASE_URL: `${product.url}/api` }, '/api, and usually has no path.'],
      ['forms list', { HOME: folder }, 'There is no API key for http://localhost:8080; set SVC_API_KEY'],
      ['forms list', { ...userEnv(), SVC_API_KEY: 'key' }, 'The API key must look like svc_key_…'],
    ] as const;
    for (const [args, env, sentence] of sentences) {
      const { code, stdout, stderr } = await run(args, env);
      expect([args, code, stdout]).toEqual([args, 1, '']);
      expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(sentence)]);
    }
    expect(readdirSync(folder)).toEqual(['bad.json']);
  });

  it.each([
    ['form list', 'There is no command "form list"; see `svcforms help`.'],
    ['forms', 'There is no command "forms"; use forms list, forms export, forms import.'],
    ['forms list extra', 'There is an unexpected argument, "extra"'],
    ['forms list --nope', "Unknown option '--nope'; see `svcforms help forms list`."],
    ['forms export', 'The id of the form is missing.'],
    ['listen', '--forward is missing'],
    ['listen --forward ftp://x', '--forward must be a URL such as http://localhost:3000/hooks.'],
    ['listen --forward :3000 --events form.*,', "--events must be types such as 'form.*"],
    ['listen --forward :3000 --from=', '--from must be oldest, now, or a position'],
    ['listen --forward :3000 --from=a\nb', '--from must be oldest, now, or a position'],
    ['events tail --events=', "--events must be types such as 'form.*"],
    ['events tail --from=é', '--from must be oldest, now, or a position'],
    ['submissions export frm_1 --format xml', '--format must be csv or ndjson.'],
    ['forms list --base-url ftp://x', 'The base URL must look like https://forms.example.com'],
  ])('exits with 2 for "%s"', async (args, sentence) => {
    const { run } = fixture();
    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  });

  it('ends at the first signal while a server keeps it waiting', async () => {
    const { apiKey } = fixture();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { HOME: tempFolder(), SVC_API_KEY: apiKey, SVC_BASE_URL: `http://127.0.0.1:${port}` };
    const commands = [
      'login',
      'forms list',
      'submissions export frm_1',
      'events tail',
      'listen --forward :9',
    ];
    commands.push(`submissions export frm_1 --output ${env.HOME}/export.csv`);
    for (const command of commands) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const connected = once(server, 'connection');
        const running = startProgram(command.split(' '), env);
        running.type(`${apiKey}\n`);
        await connected;
        const code = await running.end(signal);
        const streams = /^(listen|events)/.test(command);
        const exported = { SIGINT: 130, SIGTERM: 143 }[signal];
        // A signal kills the others, so that they have no exit code of their own.
        const expected = streams ? 0 : command.startsWith('submissions') ? exported : null;
        expect([command, code]).toEqual([command, expected]);
        expect(running.stderr).toBe('');
      }
    }
    expect(readdirSync(env.HOME).filter((name) => name.startsWith('export'))).toEqual([]);
  });
  it('names a server whose errors are JSON of another system', async () => {
    const { run } = fixture();
    const bodies = [
      { errors: { name: ['is wrong'] } },
      { errors: ['down', { pointer: 1 }], message: { text: 'down' } },
      { errors: 1, code: [1], detail: 5, requiredScope: {}, eventTypes: 'none' },
      [null],
    ];
    const left = [...bodies];
    const server = createHttpServer((_, response) => {
      response.writeHead(422, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(left.shift()));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { SVC_API_KEY: 'svc_key_x', SVC_BASE_URL: `http://127.0.0.1:${port}` };
    for (const _ of bodies)
      expect(await run('forms list', env)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining("isn't the API of SvcForms (it returned 422)"),
      });
    expect(left).toEqual([]);
  });

  it('pauses before the next connection when a proxy says Retry-After: 0', async () => {
    const times: number[] = [];
    const server = createHttpServer((_, response) => {
      times.push(performance.now());
      response.writeHead(503, { 'Retry-After': '0' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    atEnd(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { SVC_API_KEY: 'svc_key_x', SVC_BASE_URL: `http://127.0.0.1:${port}` };
    const tail = startProgram(['events', 'tail'], env);
    await poll(() => times.length > 2, { what: 'two more connections' });
    await tail.end('SIGTERM');
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(300);
  });

  it.each(['forms list', 'submissions export <form>', 'help'])(
    'fails when the output of %s can not be written',
    async (command) => {
      const { form, userEnv } = fixture();
      const stdout = openSync(devNull, 'r');
      const program = startProgram(command.replace('<form>', form.id).split(' '), userEnv(), { stdout });
      closeSync(stdout);
      expect(await program.exited).toBe(1);
      expect(program.stderr).toBe("The output can't be written (EBADF), so it is incomplete.\n");
    },
  );

  it('has help for every command, and its version', async () => {
    const { run } = fixture();
    const overview = (await run('help')).stdout;
    const names = [...overview.matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map(([, name]) => name ?? '');
    expect(names).toEqual(expect.arrayContaining(['listen', 'events tail', 'webhooks test']));
    const helps = await Promise.all(names.map((name) => run(`help ${name}`)));
    for (const [index, { code, stdout }] of helps.entries()) {
      expect([code, stdout]).toEqual([0, expect.stringContaining(`Usage: svcforms ${names[index]}`)]);
    }
    for (const group of ['forms --help', 'help forms'])
      expect(await run(group)).toMatchObject({ code: 0, stdout: expect.stringContaining('forms import') });
    expect((await run('forms list --help')).stdout).toContain('--search <text>');
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
}
