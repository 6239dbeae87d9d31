import {
  createClient,
  createFormWithWebhook,
  poll,
  runToEnd,
  sendInbound,
  startProcess,
  startWebhookEndpoint,
  tempFolder,
  testSettings,
  type Client,
  type ProductProcess,
} from '@svcforms/test-kit';

jest.setTimeout(60_000);

const OWNER_KEY = `svc_key_${'o'.repeat(43)}`;
const VALUE = 'ada@example.com';

describe('a submission', () => {
  let env: Record<string, string>;
  let product: ProductProcess;
  let client: Client;
  let formId: string;
  let submissionId: string;
  let webhookId: string;

  const trace = (...args: string[]) => runToEnd('admin', { args: ['submission', 'trace', ...args], env });

  beforeAll(async () => {
    env = {
      ...testSettings({ apiKey: OWNER_KEY }),
      SVC_DATA_DIR: tempFolder(),
      SVC_RETRY_SCHEDULE: '0.1',
      LOG_LEVEL: 'info',
    };
    product = await startProcess('standalone', { env });
    client = createClient({ baseUrl: product.url, token: OWNER_KEY });
    const endpoint = await startWebhookEndpoint({ respond: (_, nth) => ({ status: nth === 1 ? 503 : 200 }) });
    const { form, inbound, webhook } = await createFormWithWebhook(client, `${endpoint.url}/hook/token`, {
      form: { settings: { notifications: { emails: ['owner@example.com'] } } },
    });
    ({ id: formId } = form);
    ({ id: webhookId } = webhook);
    const { body } = await sendInbound(
      client,
      inbound,
      { email: VALUE },
      {
        headers: { 'X-Request-Id': 'the-request' },
      },
    );
    ({ submissionId } = body.data);
    await poll(async () => /status 200[^]*: sent/.test((await trace(submissionId)).stdout), {
      what: 'the delivery and the email',
    });
  });

  it('is traced from its acceptance through its events to each attempt, without its values', async () => {
    const { code, stdout, stderr } = await trace(submissionId);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    const lines = [
      `${submissionId} of ${formId}, acc_\\w+`,
      `${time} accepted by inbound, request the-request`,
      `${time} event evt_\\w+ form\\.submission\\.new published`,
      `  ${time} delivery del_\\w+ to ${webhookId} \\(http://127\\.0\\.0\\.1:\\d+\\) delivered`,
      `    ${time} attempt 1: status 503 after \\d[\\d.]* ms`,
      `    ${time} attempt 2: status 200 after \\d[\\d.]* ms`,
      `${time} event evt_\\w+ submission\\.created published`,
      '  no delivery: .+',
      `${time} email mail_\\w+ to owner@example\\.com: sent, attempts: 1`,
    ];
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`));
    expect(stdout).not.toContain(VALUE);
    expect(stdout).not.toContain('/hook/token');
  });

  it('is named in every line about its deliveries and emails', async () => {
    const about = await poll(() => {
      const lines = product
        .output()
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []))
        .filter(({ event }) => /^(delivery|mail)\./.test(String(event)));
      return lines.length >= 3 && lines;
    });
    expect(
      about.map(({ event }) => event).toSorted((one, other) => String(one).localeCompare(String(other))),
    ).toEqual(['delivery.attempted', 'delivery.attempted', 'mail.sent']);
    for (const line of about) expect(line).toMatchObject({ submissionId, formId });
  });

  it('is traced to the task that created it, its events and its callback', async () => {
    const callbackUrl = (await startWebhookEndpoint()).url;
    const task = await client.post<{ id: string }>('/api/mcp/tasks', {
      body: { templateId: formId, prefill: { email: VALUE }, callbackUrl },
      expect: 201,
    });
    const { body } = await client.post<{ submissionId: string }>(
      `/api/mcp/tasks/${task.body.data.id}/decision`,
      {
        body: { outcome: 'approved' },
        expect: 200,
      },
    );
    const { stdout } = await poll(async () => {
      const traced = await trace(body.data.submissionId);
      const isDone = traced.stdout.includes('attempt 1') && traced.stdout.includes('approved published');
      return isDone && traced;
    });
    expect(stdout).toContain(`accepted by task, ${task.body.data.id}`);
    expect(stdout).toMatch(/event evt_\w+ decision\.approved published/);
    expect(stdout).toMatch(
      /callback of tsk_\w+ \(http:\/\/127\.0\.0\.1:\d+\) delivered\n {4}\S+ attempt 1: status 200/,
    );
  });

  it('that was erased is traced as erased', async () => {
    await client.delete(`/api/submissions/${submissionId}`, { expect: 204 });
    const { code, stdout } = await trace(submissionId);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(`^${submissionId} was erased at \\S+; only its id is stored\n$`),
      ),
    });
  });

  it.each([
    [
      'is unknown',
      'sub_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      1,
      'There is no submission sub_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    ],
    ['is no id', 'frm_1', 64, 'submission trace requires the id of a submission'],
  ])('whose id %s is reported as such', async (_, id, code, message) => {
    expect(await trace(id)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(`admin: ${message}`),
    });
  });
});
