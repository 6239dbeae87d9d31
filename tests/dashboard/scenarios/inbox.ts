import type { FormOut, FormTemplate, KeyCreatedOut, TaskHistoryOut, TaskOut } from '@svcforms/contracts';
import { createClient, createForm, createGate, poll } from '@svcforms/test-kit';
import type { Page, Route } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { violationsInBoth } from '../support/accessibility.ts';
import type { Login, Fixture } from '../support/fixture.ts';

const FIELDS = [
  { name: 'amount', type: 'number', label: 'Amount', max: 500 },
  { name: 'reason', type: 'text', label: 'Reason' },
];

export function inboxScenarios(fixture: () => Fixture): void {
  describe('the inbox', () => {
    let templateId: string;
    let reviewer: Login & { id: string };
    beforeAll(async () => {
      templateId = (await createForm(fixture().client, { name: 'Refund', fields: FIELDS })).id;
      reviewer = await fixture().newUser('reviewer');
    });

    const createTask = async (body: object): Promise<TaskOut> => {
      const { client } = fixture();
      const response = await client.post<TaskOut>('/api/mcp/tasks', {
        body: { templateId, ...body },
        expect: 201,
      });
      return response.body.data;
    };
    /**
     * Stops the time of the page until `page.clock.resume()`, so that no undo ends before its
     * click.
     */
    const stopTime = async (page: Page): Promise<void> => {
      await page.clock.install();
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    };
    const taskOf = async ({ id }: TaskOut) =>
      (await fixture().client.get<TaskOut>(`/api/mcp/tasks/${id}`, { expect: 200 })).body.data;

    it('shows votes, counts an approval, and lets a reviewer delegate', async () => {
      const { open, newUser } = fixture();
      const [grace, mary] = [await newUser('reviewer'), await newUser('reviewer')];
      const policy = { approvals: 2, users: [reviewer.id, grace.id] };
      const title = `Votes ${Date.now()}`;
      const task = await createTask({ title, prefill: { amount: 1 }, policy });
      const page = await open(`/tasks/${task.id}`, { as: reviewer });
      const votes = page.getByRole('region', { name: 'Votes' });
      await votes.getByText('0 of 2 approvals').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Your approval is recorded.').waitFor();
      await poll(async () => (await taskOf(task)).progress?.approved === 1, { what: 'the vote' });

      const hers = await open(`/tasks/${task.id}`, { as: grace });
      await hers.getByText('1 of 2 approvals').first().waitFor();
      await hers.getByRole('button', { name: 'Delegate' }).click();
      const dialog = hers.getByRole('dialog', { name: 'Delegate your vote' });
      await dialog.getByRole('textbox', { name: 'Email of the person' }).fill(mary.email);
      expect(await violationsInBoth(hers)).toEqual([]);
      await dialog.getByRole('button', { name: 'Delegate' }).click();
      await hers.getByText('You aren’t a reviewer of this task').waitFor();
      expect(await hers.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    });

    it('takes the link of an email out of the URL, uses it for one vote, and then votes without it', async () => {
      const { open, newUser, client, mailServer } = fixture();
      const [ada, bob] = [await newUser('reviewer'), await newUser('reviewer')];
      await client.patch(`/api/users/${ada.id}`, { body: { taskEmails: true }, expect: 200 });
      const title = `Mailed ${Date.now()}`;
      const policy = { approvals: 2, users: [ada.id, bob.id] };
      const task = await createTask({ title, prefill: { amount: 1 }, editableFields: ['amount'], policy });
      const isForAda = ({ to, subject }: { to: string[]; subject: string }) =>
        to.includes(ada.email) && subject.includes(title);
      const [mail] = await mailServer.waitFor(1, isForAda);
      const [link = ''] = /\/tasks\/\w+#link=\S+/.exec(mail?.text ?? '') ?? [];

      // The link survives the login, and the reload after the vote must not bring it back.
      const page = await open(link, { as: null, expected: /401|422/ });
      await page.waitForURL(`**/login?to=%2Ftasks%2F${task.id}`);
      await page.reload();
      await page.getByLabel('Email').fill(ada.email);
      await page.getByRole('textbox', { name: 'Password' }).fill(ada.password);
      await page.getByRole('button', { name: 'Log in' }).click();
      const votes = page.getByRole('region', { name: 'Votes' });
      await votes.getByText('0 of 2 approvals').waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).progress?.approved === 1, { what: 'the vote' });
      await page.goBack();
      await page.waitForURL((url) => url.pathname === `/tasks/${task.id}` && url.hash === '');
      await page.reload();
      await page.getByText(/Voted.* from an email/).waitFor();

      // A changed value resets the votes, so she votes again, from the same email.
      const his = await open(`/tasks/${task.id}`, { as: bob });
      await his.getByLabel('Amount').fill('2');
      await his.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).votes?.[0]?.by === bob.id, { what: 'his vote' });
      await page.goto('about:blank');
      await page.goto(link);
      await page.waitForURL((url) => url.hash === '');
      await votes.getByText('1 of 2 approvals').waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
    });

    it('clears a value that an earlier vote added when the reviewer undoes its change', async () => {
      const { open, newUser } = fixture();
      const ada = await newUser('reviewer');
      const policy = { approvals: 2, users: [reviewer.id, ada.id] };
      const values = { prefill: { amount: 1 }, editableFields: ['amount', 'reason'], policy };
      const task = await createTask({ title: `Added ${Date.now()}`, ...values });
      const hers = await open('/tasks', { as: ada });
      const data = { outcome: 'approved', fields: { reason: 'pay to Mallory' } };
      const vote = await hers.request.post(`/api/mcp/tasks/${task.id}/decision`, { data });
      expect(vote.status()).toBe(200);

      const page = await open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByText('Changed from “Empty”').waitFor();
      await page.getByRole('button', { name: 'Undo the change to Reason' }).click();
      expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('');
      await page.getByRole('button', { name: 'Approve' }).click();
      // His change is a new proposal, which she hasn't approved.
      await poll(async () => (await taskOf(task)).votes?.[0]?.by === reviewer.id, { what: 'his vote' });
      expect(await taskOf(task)).toMatchObject({ status: 'awaiting', formData: { amount: 1, reason: '' } });
    });

    it('shows values that a vote changed when the reviewer asks for them, and decides only then', async () => {
      const { open, newUser } = fixture();
      const ada = await newUser('reviewer');
      const policy = { approvals: 2, users: [reviewer.id, ada.id] };
      const values = { prefill: { amount: 120 }, editableFields: ['amount', 'reason'], policy };
      const task = await createTask({ title: `Changed ${Date.now()}`, ...values });
      const page = await open(`/tasks/${task.id}`, { as: reviewer });
      const amount = page.getByRole('textbox', { name: 'Amount' });
      const approve = page.getByRole('button', { name: 'Approve' });
      await page.getByLabel('Reason', { exact: true }).fill('As agreed');

      const hers = await open('/tasks', { as: ada });
      const data = { outcome: 'approved', fields: { amount: 400 } };
      const vote = await hers.request.post(`/api/mcp/tasks/${task.id}/decision`, { data });
      expect(vote.status()).toBe(200);
      // Makes the inbox read its tasks again.
      await createTask({ title: `Another ${Date.now()}` });
      const alert = page.getByRole('alert').filter({ hasText: 'The values of this task have changed' });
      await alert.waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      expect([await amount.inputValue(), await approve.isDisabled()]).toEqual(['120', true]);
      await page.getByLabel('Reason', { exact: true }).blur();
      await page.keyboard.press('a');
      expect(await page.getByText('Your approval is recorded.').count()).toBe(0);

      await alert.getByRole('button', { name: 'Show new values' }).click();
      await alert.waitFor({ state: 'detached' });
      expect(await amount.inputValue()).toBe('400');
      expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('As agreed');
      await approve.click();
      await poll(async () => (await taskOf(task)).votes?.[0]?.by === reviewer.id, { what: 'his vote' });
      expect((await taskOf(task)).formData).toEqual({ amount: 400, reason: 'As agreed' });
    });

    it('asks before a refusal or an undo opens another task while the open one has unsent input', async () => {
      const word = `Typed${Date.now()}`;
      const values = { prefill: { amount: 1 } };
      const [refused, undone, typed] = [
        await createTask({ title: `${word} 1`, ...values, requireComment: ['approved'] }),
        await createTask({ title: `${word} 2`, ...values }),
        await createTask({ title: `${word} 3`, ...values }),
      ];
      const page = await fixture().open(`/tasks/${typed.id}?q=${word}`, { as: reviewer, expected: /422/ });
      const comment = page.getByLabel('Comment');
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      const decideSelected = async (n: number) => {
        await page.getByRole('checkbox', { name: `Select “${word} ${n}”` }).check();
        const bar = page.getByRole('group', { name: 'Selected tasks' });
        await bar.getByRole('button', { name: 'Approve' }).click();
      };
      await comment.fill('A long, reasoned comment');
      await decideSelected(1);
      const refusal = page.getByRole('alert').filter({ hasText: 'wasn’t accepted' });
      await refusal.getByRole('button', { name: 'Open task' }).click();
      await question.getByRole('button', { name: 'Stay on page' }).click();
      expect(await comment.inputValue()).toBe('A long, reasoned comment');

      // The notice stays until its task is open.
      await refusal.getByRole('button', { name: 'Open task' }).click();
      await question.getByRole('button', { name: 'Leave without saving' }).click();
      await page.getByRole('heading', { name: `${word} 1` }).waitFor();
      await refusal.waitFor({ state: 'detached' });
      expect((await taskOf(refused)).status).toBe('awaiting');

      await page.getByRole('link', { name: `${word} 2` }).click();
      await page.getByRole('heading', { name: `${word} 2` }).waitFor();
      await stopTime(page);
      await page.getByRole('button', { name: 'Approve' }).click();
      await comment.fill('Another comment');
      await page
        .getByRole('alert')
        .filter({ hasText: 'approved' })
        .getByRole('button', { name: 'Undo' })
        .click();
      await question.getByRole('button', { name: 'Stay on page' }).click();
      await page.clock.resume();
      expect(await comment.inputValue()).toBe('Another comment');
      expect((await taskOf(undone)).status).toBe('awaiting');
    });

    it('decides selected tasks together with one undo, and shows what the server refuses', async () => {
      const { open } = fixture();
      const word = `Bulk${Date.now()}`;
      const [first, second, third] = [
        await createTask({ title: `${word} 1`, prefill: { amount: 1 } }),
        await createTask({ title: `${word} 2`, prefill: { amount: 1 } }),
        await createTask({ title: `${word} 3`, prefill: { amount: 1 }, requireComment: ['approved'] }),
      ];
      const page = await open(`/tasks?q=${word}`, { as: reviewer, expected: /422/ });
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByRole('checkbox', { name: '3 selected' }).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      const bar = page.getByRole('group', { name: 'Selected tasks' });
      await bar.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('3 tasks approved.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('link', { name: `${word} 1` }).waitFor();
      expect((await taskOf(first)).status).toBe('awaiting');

      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await bar.getByRole('button', { name: 'Approve' }).click();
      await page.getByText(`Your decision on “${word} 3” wasn’t accepted`).waitFor();
      for (const task of [first, second]) {
        await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      }
      expect((await taskOf(third)).status).toBe('awaiting');
    });

    it('shows all refusals in one toast, and an undo when a refused task is decided again', async () => {
      const word = `Refusals${Date.now()}`;
      const values = { prefill: { amount: 1 }, requireComment: ['approved'] };
      await createTask({ title: `${word} 1`, ...values });
      const second = await createTask({ title: `${word} 2`, ...values });
      await createTask({ title: `${word} 3`, ...values });
      const page = await fixture().open(`/tasks?q=${word}`, { as: reviewer, expected: /422/ });
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      const bar = page.getByRole('group', { name: 'Selected tasks' });
      await bar.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Your decisions on 3 tasks weren’t accepted').waitFor();
      const refusals = page.getByRole('alert').filter({ hasText: 'accepted' });
      expect(await refusals.count()).toBe(1);
      expect(await violationsInBoth(page)).toEqual([]);
      await refusals.getByRole('button', { name: `Open task “${word} 1”` }).click();
      await page.getByRole('heading', { name: `${word} 1` }).waitFor();
      await page.getByText('Your decisions on 2 tasks weren’t accepted').waitFor();

      // By its link instead of the toast.
      await page.getByRole('link', { name: `${word} 2` }).click();
      await page.getByRole('heading', { name: `${word} 2` }).waitFor();
      await page.getByLabel('Comment').fill('As agreed.');
      await stopTime(page);
      await page.getByRole('button', { name: 'Approve' }).click();
      const undo = page.getByRole('alert').filter({ hasText: 'Task approved.' }).getByRole('button');
      await undo.click();
      await page.clock.resume();
      await page.getByRole('heading', { name: `${word} 2` }).waitFor();
      await page.getByText(`Your decision on “${word} 3” wasn’t accepted`).waitFor();
      expect((await taskOf(second)).status).toBe('awaiting');
    });

    it('undoes a decision on several tasks by its key, and keeps the undo of each such decision', async () => {
      const word = `Undone${Date.now()}`;
      const tasks: TaskOut[] = [];
      for (const n of [1, 2, 3, 4]) tasks.push(await createTask({ title: `${word} ${n}` }));
      const page = await fixture().open(`/tasks?q=${word}`, { as: reviewer });
      const links = page.getByRole('link', { name: word });
      const all = page.getByRole('checkbox', { name: 'Select all' });
      const approve = page
        .getByRole('group', { name: 'Selected tasks' })
        .getByRole('button', { name: 'Approve' });
      await all.check();
      await stopTime(page);
      await approve.click();
      await page.getByText('4 tasks approved.').waitFor();
      await page.keyboard.press('z');
      await page.clock.resume();
      await poll(async () => (await links.count()) === 4, { what: 'all four again' });
      await page.getByText('4 tasks approved.').waitFor({ state: 'detached' });

      for (const n of [1, 2, 3]) await page.getByRole('checkbox', { name: `Select “${word} ${n}”` }).check();
      await stopTime(page);
      await approve.click();
      await all.check();
      await approve.click();
      await page.getByText('1 task approved.').waitFor();
      const first = page.getByRole('alert').filter({ hasText: '3 tasks approved.' });
      await first.getByRole('button', { name: 'Undo' }).click();
      await page.clock.resume();
      await first.waitFor({ state: 'detached' });
      await poll(
        async () =>
          (await Promise.all(tasks.map(taskOf))).map(({ status }) => status).join() ===
          'awaiting,awaiting,awaiting,approved',
        { what: 'the approval of the fourth' },
      );
    });

    it('leaves the open task out of a decision on several tasks while it has unsent input', async () => {
      const word = `Unsent${Date.now()}`;
      const values = { prefill: { amount: 1 }, rejectOptions: ['Too expensive'] };
      const [typed, other] = [
        await createTask({ title: `${word} 1`, ...values }),
        await createTask({ title: `${word} 2`, ...values }),
      ];
      const page = await fixture().open(`/tasks/${typed.id}?q=${word}`, { as: reviewer });
      const reason = page.getByLabel('Reason for rejection');
      await reason.selectOption('Too expensive');
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      const bar = page.getByRole('group', { name: 'Selected tasks' });
      await bar.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('The open task wasn’t decided').waitFor();
      await page.getByText('1 task rejected.').waitFor();
      await poll(async () => (await taskOf(other)).status === 'rejected', { what: 'the rejection' });
      expect((await taskOf(typed)).status).toBe('awaiting');
      expect(await reason.inputValue()).toBe('Too expensive');

      // Without it, the task is like any other.
      await reason.selectOption('No reason');
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await bar.getByRole('button', { name: 'Reject' }).click();
      await poll(async () => (await taskOf(typed)).status === 'rejected', { what: 'the rejection' });
    });

    it('says that approvals are recorded while a task needs more of them', async () => {
      const { open, newUser } = fixture();
      const [ada, bob, eve] = [
        await newUser('reviewer'),
        await newUser('reviewer'),
        await newUser('reviewer'),
      ];
      const policy = { approvals: 2, users: [ada.id, bob.id, eve.id] };
      const word = `Several${Date.now()}`;
      const values = { prefill: { amount: 1 }, editableFields: ['amount'], policy };
      const [first, second] = [
        await createTask({ title: `${word} 1`, ...values }),
        await createTask({ title: `${word} 2`, ...values }),
      ];
      const page = await open(`/tasks?q=${word}`, { as: ada });
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      const bar = page.getByRole('group', { name: 'Selected tasks' });
      await bar.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Your approvals are recorded.').waitFor();
      for (const task of [first, second])
        await poll(async () => (await taskOf(task)).progress?.approved === 1, { what: 'her vote' });

      // Her second approval of the same task doesn't count.
      await page.getByRole('link', { name: `${word} 1` }).click();
      await page.getByRole('button', { name: 'Approve' }).last().click();
      await page.getByText('Your approval is recorded.').waitFor();

      // A changed value voids her approval, so the task needs hers again.
      const his = await open(`/tasks/${second.id}`, { as: bob });
      await his.getByText('1 of 2 approvals').first().waitFor();
      await his.getByLabel('Amount').fill('2');
      await his.getByRole('button', { name: 'Approve' }).click();
      await his.getByText('Your approval is recorded.').waitFor();
      await poll(async () => (await taskOf(second)).votes?.[0]?.by === bob.id, { what: 'his vote' });
      for (const task of [first, second]) expect((await taskOf(task)).progress?.approved).toBe(1);
    });

    it('says in the list that one of those who approved must approve again, after others left', async () => {
      const { open, newUser, client } = fixture();
      const [ada, bob] = [await newUser('reviewer'), await newUser('reviewer')];
      const group = await client.post<{ id: string }>('/api/groups', {
        body: { name: `Left ${Date.now()}`, members: [ada.id, bob.id] },
        expect: 201,
      });
      const title = `Again ${Date.now()}`;
      const policy = { approvals: 'all', groups: [group.body.data.id] };
      const task = await createTask({ title, policy });
      const page = await open('/tasks', { as: ada });
      const vote = await page.request.post(`/api/mcp/tasks/${task.id}/decision`, {
        data: { outcome: 'approved' },
      });
      expect(vote.status()).toBe(200);
      await client.patch(`/api/groups/${group.body.data.id}`, { body: { members: [ada.id] }, expect: 200 });
      await page.goto(`/tasks?q=${encodeURIComponent(title)}`);
      const link = page.getByRole('link', { name: title });
      await link.getByText('1 of 1 approvals. You voted. Must be approved again to finish').waitFor();
      await link.click();
      await page.getByText('It has all approvals, but people have left or come back since.').waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
    });

    it('offers no undo of decisions on several tasks after they were sent', async () => {
      const word = `Sent${Date.now()}`;
      const tasks = [await createTask({ title: `${word} 1` }), await createTask({ title: `${word} 2` })];
      const page = await fixture().open(`/tasks?q=${word}`, { as: reviewer });
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      const bar = page.getByRole('group', { name: 'Selected tasks' });
      await bar.getByRole('button', { name: 'Approve' }).click();
      const toast = page.getByRole('alert').filter({ hasText: '2 tasks approved.' });
      // A toast doesn't close by itself while the pointer is over it.
      await toast.hover();
      for (const task of tasks)
        await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      await toast.waitFor({ state: 'detached' });
    });

    it('offers no undo of a decision that is being sent', async () => {
      const title = `Slow${Date.now()}`;
      const task = await createTask({ title });
      const page = await fixture().open(`/tasks/${task.id}?q=${title}`, { as: reviewer });
      const { open: respond, passed } = createGate();
      await page.route('**/decision', async (route) => {
        await passed;
        await route.fallback();
      });
      const approve = page.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      await stopTime(page);
      await approve.click();
      await page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
      await page.goBack();
      await page.getByText('We send the decision in a few seconds.').waitFor();
      await page.clock.resume();
      await page.getByText('We’re sending the decision.').waitFor();
      expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
      respond();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      await page.getByText('We’re sending the decision.').waitFor({ state: 'detached' });
    });

    it('says that a task can’t be loaded without calling it untitled', async () => {
      const task = await createTask({ title: `Unreachable ${Date.now()}` });
      const page = await fixture().open('/tasks', { as: reviewer, expected: /503/ });
      const url = `**/api/mcp/tasks/${task.id}`;
      await page.route(url, (route) => route.fulfill({ status: 503, body: '{}' }));
      await page.goto(`/tasks/${task.id}`);
      const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
      await retry.waitFor();
      await page.getByRole('heading', { name: 'Task', exact: true }).waitFor();
      await page.unroute(url);
      await retry.click();
      await page.getByRole('heading', { name: task.title ?? '' }).waitFor();
    });

    it('opens a task by the link of an email, and sends its proof with the decision', async () => {
      const { open, newUser, client, mailServer } = fixture();
      const grace = await newUser('reviewer');
      const title = `Mailed ${Date.now()}`;
      const task = await createTask({ title, prefill: { amount: 1 }, policy: { users: [reviewer.id] } });
      const to = { to: grace.email };
      const own = await open(`/tasks/${task.id}`, { as: reviewer });
      const delegated = await own.request.post(`/api/mcp/tasks/${task.id}/delegate`, { data: to });
      expect(delegated.status()).toBe(200);
      const [mail] = await mailServer.waitFor(1, ({ subject }) => subject.includes(title));
      const link = new URL(/https?:\/\/\S+\/tasks\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
      // A mail scanner fetches the page and decides nothing.
      for (let n = 0; n < 20; n++)
        for (const method of ['GET', 'HEAD']) await own.request.fetch(link.pathname, { method });

      const page = await open(`${link.pathname}${link.hash}`, { as: null, expected: /401|422|ERR_FAILED/ });
      await page.getByLabel('Email').fill(grace.email);
      await page.getByLabel('Password').first().fill(grace.password);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      expect((await taskOf(task)).status).toBe('awaiting');
      expect(await violationsInBoth(page)).toEqual([]);
      // The proof survives a lost connection, another refusal and a reload.
      const failures: ((route: Route) => Promise<void>)[] = [
        (route) => route.abort(),
        (route) => route.continue({ postData: JSON.stringify({ outcome: 'maybe' }) }),
      ];
      for (const fail of failures) {
        await page.route('**/decision', fail);
        await page.getByRole('button', { name: 'Approve' }).click();
        await page.getByText(`Your decision on “${title}” wasn’t accepted`).waitFor();
        await page.unroute('**/decision');
        await page.goto(link.pathname);
        await page.getByRole('heading', { name: title }).waitFor();
      }
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      const history = await client.get<TaskHistoryOut[]>(`/api/mcp/tasks/${task.id}/history`);
      expect(history.body.data.find(({ event }) => event === 'decided')).toMatchObject({
        by: grace.id,
        channel: 'mail',
        proof: 'mail_link',
      });
    });

    it('sends an email whose long words break in a narrow window', async () => {
      const { client, mailServer, newUser, open } = fixture();
      const grace = await newUser('reviewer');
      await client.patch(`/api/users/${grace.id}`, { body: { taskEmails: true }, expect: 200 });
      const title = `Long${'w'.repeat(186)}${Date.now()}`;
      await createTask({ title, prefill: { amount: 12 } });
      const [mail] = await mailServer.waitFor(1, (one) => one.html.includes(title));
      const page = await open('about:blank', {
        as: null,
        context: { viewport: { width: 390, height: 640 } },
      });
      await page.setContent(mail?.html ?? '');
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      // The labels beside them stay whole.
      const widths = await page
        .locator('th')
        .evaluateAll((labels) => labels.map((label) => label.getClientRects()[0]?.width ?? 0));
      expect(Math.min(...widths)).toBeGreaterThan(80);
    });

    it('shows new tasks; a reviewer edits a value and approves, and the callback arrives', async () => {
      const { open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const page = await open('/tasks', { as: reviewer });
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      const title = `Refund of ${Date.now()}`;
      const task = await createTask({
        title,
        description: 'The parcel was **lost**. See [the order](https://shop.example/o/1).',
        prefill: { amount: 120, reason: 'lost' },
        editableFields: ['amount'],
        callbackUrl: endpoint.url,
      });
      await page.getByRole('link', { name: title }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.locator('.markdown strong').textContent()).toBe('lost');
      expect(await page.getByRole('link', { name: 'the order' }).getAttribute('rel')).toContain('noopener');
      expect(await page.getByRole('textbox', { name: 'Reason', exact: true }).count()).toBe(0);
      await page.getByRole('textbox', { name: 'Amount' }).fill('100');
      await page.getByText('Changed from “120”').waitFor();
      await page.getByRole('button', { name: 'Claim' }).click();
      await page.getByText('Claimed by you', { exact: true }).waitFor();
      await page.getByLabel('Comment').fill('As agreed.');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Task approved.').waitFor();
      await page.getByRole('heading', { name: title }).waitFor({ state: 'detached' });

      const [callback] = await endpoint.waitFor(1, 'the callback');
      expect(JSON.parse(callback?.rawBody.toString() ?? '')).toMatchObject({
        taskId: task.id,
        data: { status: 'completed', formData: { amount: 100, reason: 'lost' } },
      });
      expect(await taskOf(task)).toMatchObject({ decidedBy: reviewer.id, comment: 'As agreed.' });
    });

    it('demands a required comment, and keeps the input after a refusal', async () => {
      const task = await createTask({
        title: 'Refund too much',
        prefill: { amount: 120 },
        editableFields: ['amount'],
        requireComment: ['rejected'],
        rejectOptions: ['Too expensive', 'Not ours'],
      });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer, expected: /422/ });
      await page.getByRole('textbox', { name: 'Amount' }).fill('900');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Must be at most 500', { exact: true }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('900');
      await page.getByRole('textbox', { name: 'Amount' }).fill('120');

      await page.getByRole('button', { name: 'Reject' }).click();
      await page.getByText('A comment is required for this decision.').waitFor();
      expect((await taskOf(task)).status).toBe('awaiting');
      await page.getByLabel('Reason for rejection').selectOption('Too expensive');
      await page.getByLabel('Comment').fill('Over the limit.');
      await page.getByRole('button', { name: 'Reject' }).click();
      await poll(async () => (await taskOf(task)).status === 'rejected', { what: 'the rejection' });
      expect(await taskOf(task)).toMatchObject({ rejectOption: 'Too expensive', comment: 'Over the limit.' });
    });

    it('shows values that cannot be edited as the form does: labels of options, Yes and No', async () => {
      const { client, open } = fixture();
      const options = [
        { value: 't1', label: 'Team plan' },
        { value: 't2', label: 'Solo plan' },
      ];
      const fields = [
        { name: 'plan', type: 'select', options },
        { name: 'extras', type: 'checkboxes', options },
        { name: 'urgent', type: 'checkbox' },
      ];
      const { id } = await createForm(client, { name: 'Plans', fields });
      const prefill = { plan: 't1', extras: ['t1', 't2'], urgent: true };
      const task = await createTask({ templateId: id, prefill });
      const page = await open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByText('Team plan', { exact: true }).waitFor();
      await page.getByText('Team plan, Solo plan', { exact: true }).waitFor();
      await page.getByText('Yes', { exact: true }).waitFor();
    });

    it('shows values whose option the form has lost, which the reviewer can replace', async () => {
      const { client, open } = fixture();
      const options = [{ value: 'red' }, { value: 'blue' }];
      const fields = [
        { name: 'color', type: 'select', label: 'Color', options },
        { name: 'tones', type: 'checkboxes', label: 'Tones', options },
      ];
      const form = await createForm(client, { name: 'Colors', fields });
      const task = await createTask({
        templateId: form.id,
        prefill: { color: 'red', tones: ['red', 'blue'] },
        editableFields: ['color', 'tones'],
      });
      const left = fields.map((field) => ({ ...field, options: [{ value: 'blue' }] }));
      await client.put(`/api/forms/${form.id}`, { body: { ...form, fields: left }, expect: 200 });
      const page = await open(`/tasks/${task.id}`, { as: reviewer });
      const [color, red] = [page.getByLabel('Color'), page.getByRole('checkbox', { name: 'red' })];
      await color.waitFor();
      expect([await color.inputValue(), await red.isChecked()]).toEqual(['red', true]);
      await color.selectOption('blue');
      await red.uncheck();
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      expect((await taskOf(task)).formData).toEqual({ color: 'blue', tones: ['blue'] });
    });

    it('demands a visible comment where one is required', async () => {
      const task = await createTask({ title: `Blank ${Date.now()}`, requireComment: ['approved'] });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByLabel('Comment').fill('\u200b');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('A comment is required for this decision.').waitFor();
      await page.getByLabel('Comment').fill('As agreed.');
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
    });

    it('shows why a task was rejected, and the line breaks of values and comments', async () => {
      const { client, open } = fixture();
      const fields = [{ name: 'letter', type: 'textarea' }];
      const { id } = await createForm(client, { name: 'Letter', fields });
      const task = await createTask({
        templateId: id,
        prefill: { letter: 'Dear Ada,\nno.' },
        rejectOptions: ['Too short'],
      });
      const body = { outcome: 'rejected', rejectOption: 'Too short', comment: 'Longer.\nAnd kinder.' };
      await client.post(`/api/mcp/tasks/${task.id}/decision`, { body, expect: 200 });
      const page = await open(`/tasks/${task.id}`, { as: reviewer });
      const shown = (text: string) => page.getByText(text, { exact: true }).innerText();
      expect(await shown('Dear Ada, no.')).toBe('Dear Ada,\nno.');
      expect(await shown('Longer. And kinder.')).toBe('Longer.\nAnd kinder.');
      expect(await shown('Too short')).toBe('Too short');
      await page.getByText('Reason for rejection').waitFor();
    });

    it('approves a task of the built-in approval template', async () => {
      const { client } = fixture();
      const templates = (await client.get<FormTemplate[]>('/api/templates?limit=100')).body.data;
      const template = templates.find(({ name }) => name === 'Approval request');
      const form = await client.post<FormOut>('/api/forms/import', { body: template, expect: 201 });
      const task = await createTask({
        templateId: form.body.data.id,
        title: 'A new laptop',
        prefill: { subject: 'Laptop', justification: 'The old one is broken.' },
      });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
    });

    it('approves a consent to the text that the form had before', async () => {
      const { client, open } = fixture();
      const consent = { name: 'terms', type: 'consent', label: 'I accept.', required: true };
      const form = await createForm(client, { name: 'Terms', fields: [consent] });
      const task = await createTask({
        templateId: form.id,
        title: 'An old consent',
        prefill: { terms: { accepted: true, text: consent.label } },
      });
      const body = { ...form, fields: [{ ...consent, label: 'I accept everything.' }] };
      await client.put(`/api/forms/${form.id}`, { body, expect: 200 });
      const page = await open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByText('I accept everything.').waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      expect((await taskOf(task)).formData).toEqual({ terms: { accepted: true, text: 'I accept.' } });
    });

    it('submits a task in form mode', async () => {
      const task = await createTask({
        title: 'Fill it in',
        decisionMode: 'form',
        prefill: { reason: 'lost' },
      });
      const page = await fixture().open(`/tasks/${task.id}`);
      await page.getByRole('textbox', { name: 'Amount' }).fill('7');
      await page.getByLabel('Reason').fill('found again');
      await page.getByRole('button', { name: 'Submit' }).click();
      await poll(async () => (await taskOf(task)).status === 'submitted', { what: 'the submission' });
      expect((await taskOf(task)).formData).toEqual({ amount: 7, reason: 'found again' });
    });

    it('asks for a choice where there is none, and says of other values that they are empty', async () => {
      const { client, open } = fixture();
      const options = [{ value: 'Small' }, { value: 'Large' }];
      const fields = [
        { name: 'size', type: 'select', label: 'Size', options },
        { name: 'note', type: 'text', label: 'Note' },
      ];
      const { id } = await createForm(client, { name: 'Order', fields });
      const task = await createTask({
        templateId: id,
        decisionMode: 'form',
        prefill: {},
        editableFields: ['size'],
      });
      const page = await open(`/tasks/${task.id}`);
      const size = page.getByLabel('Size', { exact: true });
      await size.waitFor();
      expect(await size.getByRole('option').allTextContents()).toEqual(['Select…', 'Small', 'Large']);
      await page.getByText('Empty', { exact: true }).waitFor();
      await size.selectOption('Large');
      await page.getByText('Changed from “Empty”').waitFor();
    });

    it('shows what happens at expiry, and who or what resolved the task', async () => {
      const rules = {
        expire: 'expires',
        approve: 'approved automatically',
        reject: 'rejected automatically',
      };
      const tasks: TaskOut[] = [];
      for (const onExpiry of Object.keys(rules))
        tasks.push(await createTask({ title: `On ${onExpiry}`, onExpiry }));
      const [first, second, third] = tasks as [TaskOut, TaskOut, TaskOut];
      const page = await fixture().open('/tasks', { as: reviewer });
      for (const task of tasks) {
        await page.goto(`/tasks/${task.id}`);
        await page.getByText(`Without a decision: ${rules[task.onExpiry]}`).locator('time').waitFor();
      }
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(third)).status === 'approved', { what: 'the approval' });
      await page.goto(`/tasks/${third.id}`);
      await page.getByText('Resolved by: you').waitFor();
      expect(await page.getByText('Without a decision').count()).toBe(0);

      const path = `/api/mcp/tasks/${first.id}`;
      await fixture().client.post(`${path}/cancel`, { expect: 200 });
      await page.goto(`/tasks/${first.id}`);
      await page.getByText('Resolved by: First key').waitFor();

      // The page gets an expired task, because the test can't wait for the expiry.
      await fixture().client.post(`/api/mcp/tasks/${second.id}/decision`, {
        body: { outcome: 'approved' },
        expect: 200,
      });
      await page.route(`**/api/mcp/tasks/${second.id}`, async (route) => {
        const response = await route.fetch();
        const { data, ...body } = (await response.json()) as { data: TaskOut };
        const { decidedBy: _, ...task } = data;
        await route.fulfill({ response, json: { ...body, data: { ...task, resolvedBy: 'expiry' } } });
      });
      await page.goto(`/tasks/${second.id}`);
      await page.getByText('Resolved by: expiry (no decision in time)').waitFor();

      const { submissionId } = await taskOf(third);
      await page.goto(`/forms/${templateId}/submissions/${submissionId}`);
      await page.getByText('Task resolved by').waitFor();
      await page.getByText('A person', { exact: true }).waitFor();
    });

    it('says that a user was deleted, and names a deleted API key everywhere', async () => {
      const { client, baseUrl, newUser } = fixture();
      const { id: assignee } = await newUser('reviewer');
      const name = `Refund bot ${Date.now()}`;
      const { body } = await client.post<KeyCreatedOut>('/api/keys', {
        body: { name, scopes: ['tasks:create', 'tasks:manage'] },
        expect: 201,
      });
      const bot = createClient({ baseUrl, token: String(body.data.key) });
      const { body: made } = await bot.post<TaskOut>('/api/mcp/tasks', {
        body: { templateId, title: 'Of the past', assignee, prefill: { amount: 1 } },
        expect: 201,
      });
      await bot.post(`/api/mcp/tasks/${made.data.id}/cancel`, { expect: 200 });
      await client.delete(`/api/keys/${body.data.id}`, { expect: 204 });
      await client.delete(`/api/users/${assignee}`, { expect: 204 });

      const page = await fixture().open(`/tasks/${made.data.id}`);
      await page.getByText('Assigned to a deleted user').waitFor();
      await page.getByText(`Requested by ${name}, `).waitFor();
      await page.getByText(`Resolved by: ${name}`).waitFor();
      await page.getByText(`: Requested by ${name}`).waitFor();
      await page.getByText(`: Cancelled by ${name}`).waitFor();
      // A reviewer can't know that the user was deleted.
      const theirs = await fixture().open(`/tasks/${made.data.id}`, { as: reviewer });
      await theirs.getByText('Assigned to another user').waitFor();
    });

    it('shows immediately when somebody else resolves the task', async () => {
      const title = `Two look at it ${Date.now()}`;
      const task = await createTask({ title, prefill: { amount: 1 }, editableFields: ['amount'] });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer });
      const inbox = await fixture().openBeside(page, '/tasks');
      await inbox.getByRole('link', { name: title }).waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.getByLabel('Amount').fill('2');
      await page.getByText('Changed from “1”').waitFor();
      await fixture().client.post(`/api/mcp/tasks/${task.id}/decision`, {
        body: { outcome: 'rejected' },
        expect: 200,
      });
      await page.getByText('Someone else resolved this task: rejected.').waitFor();
      // Nobody decided about what was typed here.
      expect(await page.getByText('Changed from “1”').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
      await inbox.getByRole('link', { name: title }).waitFor({ state: 'detached' });
    });

    it('says that the user has resolved the task elsewhere', async () => {
      const task = await createTask({ title: `Decided beside ${Date.now()}` });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      const response = await page.request.post(`/api/mcp/tasks/${task.id}/decision`, {
        data: { outcome: 'approved' },
      });
      expect(response.status()).toBe(200);
      await page.getByText('You have already resolved this task: approved.').waitFor();
    });

    it("says that somebody else resolved the task after the user's vote", async () => {
      const { open, newUser } = fixture();
      const [ada, bob] = [await newUser('reviewer'), await newUser('reviewer')];
      const policy = { approvals: 2, users: [reviewer.id, ada.id, bob.id] };
      const title = `Voted ${Date.now()}`;
      const task = await createTask({ title, policy });
      const page = await open(`/tasks/${task.id}`, { as: ada });
      await page.getByRole('button', { name: 'Approve' }).click();
      await poll(async () => (await taskOf(task)).progress?.approved === 1, { what: 'her vote' });
      await page.getByRole('link', { name: title }).click();
      await page.getByLabel('Comment').fill('One more thing.');
      const his = await open('/tasks', { as: bob });
      const response = await his.request.post(`/api/mcp/tasks/${task.id}/decision`, {
        data: { outcome: 'approved' },
      });
      expect(response.status()).toBe(200);
      await page
        .getByText('Someone else resolved this task: approved. Your vote was recorded; what you entered')
        .waitFor();
      expect(await page.getByLabel('Comment').count()).toBe(0);
    });

    it('ends a refresh of the list before the next one while tasks are created', async () => {
      const word = `Burst${Date.now()}`;
      const page = await fixture().open(`/tasks?q=${word}`, { as: reviewer });
      const beside = await fixture().openBeside(page, `/tasks?q=${word}`);
      for (const each of [page, beside]) await each.getByText('No tasks match these filters.').waitFor();
      const cancelled: string[] = [];
      page.on('requestfailed', (request) => cancelled.push(request.url()));
      const held: (() => Promise<void>)[] = [];
      await page.route(
        (url) => url.searchParams.get('q') === word,
        async (route) => {
          const response = await route.fetch();
          held.push(() => route.fulfill({ response }));
        },
      );
      await createTask({ title: `${word} 1` });
      await poll(async () => held.length > 0, { what: 'the refresh' });
      await createTask({ title: `${word} 2` });
      await beside.getByRole('link', { name: `${word} 2` }).waitFor();
      await poll(
        async () => {
          await Promise.all(held.splice(0).map((release) => release()));
          return (await page.getByRole('link', { name: `${word} 2` }).count()) > 0;
        },
        { what: 'the list with both tasks' },
      );
      expect(cancelled).toEqual([]);
    });

    it('filters by the parameters of the URL', async () => {
      const mark = Date.now();
      await createTask({ title: `Urgent ${mark}`, priority: 'urgent' });
      await createTask({ title: `For one ${mark}`, assignee: reviewer.id });
      const page = await fixture().open(`/tasks?assignee=${reviewer.id}&status=any`, { as: reviewer });
      await page.getByRole('link', { name: `For one ${mark}` }).waitFor();
      expect(await page.getByRole('link', { name: `Urgent ${mark}` }).count()).toBe(0);
      expect(await page.getByLabel('Assigned to', { exact: true }).inputValue()).toBe(reviewer.id);
      await page.goto('/tasks');
      await page.getByText('More filters').click();
      await page.getByLabel('Priority').selectOption('Urgent');
      await page.getByRole('link', { name: `For one ${mark}` }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: `Urgent ${mark}` }).waitFor();
      expect(new URL(page.url()).searchParams.get('priority')).toBe('urgent');
      await page.goto(`/tasks?assignee=${reviewer.id}&status=cancelled`);
      await page.getByText('No tasks match these filters.').waitFor();
    });

    it('filters by every person of the account, for roles that may list them', async () => {
      const { open, newUser } = fixture();
      const other = await newUser('reviewer');
      const title = `For another ${Date.now()}`;
      await createTask({ title, assignee: other.id });
      const page = await open('/tasks');
      await page.getByText('More filters').click();
      await page.getByLabel('Assigned to', { exact: true }).selectOption(other.id);
      await page.waitForURL((url) => url.searchParams.get('assignee') === other.id);
      await page.getByRole('link', { name: title }).waitFor();
      const theirs = await open('/tasks', { as: reviewer });
      await theirs.getByText('More filters').click();
      const choices = theirs.getByLabel('Assigned to', { exact: true }).getByRole('option');
      expect(await choices.allTextContents()).toEqual(['Anyone', 'Me']);
    });

    it('names the form, the person and the status that it filters by, however many there are', async () => {
      const { client, open, newUser } = fixture();
      const name = `The oldest ${Date.now()}`;
      const { id } = await createForm(client, { name });
      for (let n = 0; n < 26; n++) await createForm(client, { name: `A newer one ${n}` });
      const other = await newUser('reviewer');
      const page = await open(`/tasks?templateId=${id}&assignee=${other.id}`);
      const chosen = (label: string) =>
        page.getByLabel(label, { exact: true }).locator('option:checked').textContent();
      await poll(async () => (await chosen('Form')) === name, { what: 'the name of the form' });
      await poll(async () => (await chosen('Assigned to')) === 'The reviewer', { what: 'the name' });
      await client.delete(`/api/forms/${id}`, { expect: 204 });
      await page.reload();
      await poll(async () => (await chosen('Form')) === 'Unknown form', { what: 'the deleted form' });
    });

    it('is usable by keyboard alone', async () => {
      const mark = `by keys ${Date.now()}`;
      const second = await createTask({ title: `Later ${mark}` });
      const first = await createTask({ title: `Sooner ${mark}` });
      const page = await fixture().open('/tasks', { as: reviewer });
      await page.getByRole('link', { name: `Later ${mark}` }).waitFor();
      await page.keyboard.press('Shift+?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await page.keyboard.type(mark);
      const tasks = page.getByRole('navigation', { name: 'Tasks' }).getByRole('link');
      await poll(async () => (await tasks.count()) === 2, { what: 'the two' });
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: `Sooner ${mark}` }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.closest('.inbox-chosen'));
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: `Later ${mark}` }).waitFor();
      await page.keyboard.press('k');
      await page.getByRole('heading', { name: `Sooner ${mark}` }).waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.keyboard.press('c');
      await page.getByText('Claimed by you', { exact: true }).waitFor();
      // The next task opens, and an undo brings the decided one back.
      await page.keyboard.press('a');
      await page.getByRole('heading', { name: `Later ${mark}` }).waitFor();
      await poll(async () => (await tasks.count()) === 1, { what: 'the list without it' });
      await page.keyboard.press('z');
      await page.getByRole('heading', { name: `Sooner ${mark}` }).waitFor();
      await poll(async () => (await tasks.count()) === 2, { what: 'the list with it' });
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.keyboard.press('a');
      await page.getByRole('heading', { name: `Later ${mark}` }).waitFor();
      await page.getByRole('button', { name: 'Reject' }).waitFor();
      await page.keyboard.press('r');
      await poll(async () => (await taskOf(first)).status === 'approved', { what: 'the approval' });
      await poll(async () => (await taskOf(second)).status === 'rejected', { what: 'the rejection' });
    });

    it('has its keyboard shortcuts while a checkbox has the focus', async () => {
      const mark = Date.now();
      for (const n of [2, 1]) await createTask({ title: `Ticked ${mark} ${n}` });
      const page = await fixture().open(`/tasks?q=${mark}`, { as: reviewer });
      await page.getByRole('checkbox', { name: `Select “Ticked ${mark} 1”` }).click();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: `Ticked ${mark} 1` }).waitFor();
      await page.getByRole('checkbox', { name: '1 selected' }).click();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: `Ticked ${mark} 2` }).waitFor();
    });

    it('decides nothing by keys while a checkbox of the task has the focus', async () => {
      const title = `Urgent ${Date.now()}`;
      const fields = [{ name: 'urgent', type: 'checkbox', label: 'Urgent' }];
      const form = await createForm(fixture().client, { name: 'Urgent', fields });
      const values = { prefill: { urgent: false }, editableFields: ['urgent'] };
      const task = await createTask({ templateId: form.id, title, ...values });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer });
      const urgent = page.getByRole('checkbox', { name: 'Urgent', exact: true });
      await urgent.click();
      for (const key of ['a', 'r', 'Enter']) await page.keyboard.press(key);
      await urgent.and(page.locator(':focus')).waitFor();
      expect(await page.getByText(/^Task (approved|rejected)/).count()).toBe(0);
    });

    it('restores the input after an undo, and sends a decision when the page is left', async () => {
      const title = `Undone ${Date.now()}`;
      const task = await createTask({ title, prefill: { amount: 120 }, editableFields: ['amount'] });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByRole('textbox', { name: 'Amount' }).fill('100');
      await page.getByLabel('Comment').fill('As agreed.');
      await page.getByRole('button', { name: 'Approve' }).click();
      const toast = page.getByRole('alert').filter({ hasText: 'Task approved.' });
      // Nothing slow may come between the decision and its undo.
      await toast.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('100');
      expect(await page.getByLabel('Comment').inputValue()).toBe('As agreed.');
      await toast.waitFor({ state: 'detached' });
      expect((await taskOf(task)).status).toBe('awaiting');

      await page.getByRole('button', { name: 'Approve' }).click();
      await toast.waitFor();
      // No timer of the page can run after this.
      await page.goto('about:blank');
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      expect(await taskOf(task)).toMatchObject({ formData: { amount: 100 }, comment: 'As agreed.' });
    });

    it('decides nothing by what is typed while the command palette still loads', async () => {
      const task = await createTask({ title: `Searched ${Date.now()}` });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer });
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      let load = (): void => {};
      const loading = new Promise<void>((resolve) => void (load = resolve));
      await page.route('**/assets/command-palette-*', async (route) => {
        await loading;
        await route.continue();
      });
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type('a');
      load();
      await page.getByRole('dialog', { name: 'Search and commands' }).waitFor();
      expect(await page.getByText('Task approved.').count()).toBe(0);
      expect(await page.getByText('You decided this task.').count()).toBe(0);
    });

    it('decides one task while its key is held down', async () => {
      const mark = Date.now();
      const next = await createTask({ title: `Held 2 ${mark}` });
      const task = await createTask({ title: `Held 1 ${mark}` });
      const page = await fixture().open(`/tasks?q=${mark}`, { as: reviewer });
      await page.getByRole('link', { name: /Held 1/ }).click();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.keyboard.down('a');
      await page.getByRole('heading', { name: `Held 2 ${mark}` }).waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      // The second event of the same key is a repetition.
      await page.keyboard.down('a');
      await page.keyboard.up('a');
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
      expect((await taskOf(next)).status).toBe('awaiting');
      await page.getByRole('heading', { name: `Held 2 ${mark}` }).waitFor();
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(1);
    });

    it('sends a decision before the session ends, and stays if it is refused', async () => {
      const title = `Decided last ${Date.now()}`;
      const task = await createTask({ title });
      const as = await fixture().newUser('reviewer');
      const page = await fixture().open(`/tasks/${task.id}`, { as, expected: /ERR_FAILED/ });
      const logOut = async () => {
        await page.getByRole('button', { name: 'Your account' }).click();
        await page.getByRole('menuitem', { name: 'Log out' }).click();
      };
      const decisions = `**/api/mcp/tasks/${task.id}/decision`;
      await page.route(decisions, (route) => route.abort('failed'), { times: 1 });
      await page.getByRole('button', { name: 'Approve' }).click();
      await logOut();
      const toast = page.getByRole('alert').filter({ hasText: 'wasn’t accepted' });
      await toast.getByRole('button', { name: 'Open task' }).click();

      await page.getByRole('button', { name: 'Approve' }).click();
      await logOut();
      await page.waitForURL('**/login');
      expect((await taskOf(task)).status).toBe('approved');
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      expect(await toast.count()).toBe(0);
    });

    it('says that the task was already resolved, without times and ids for programs', async () => {
      const task = await createTask({ title: `Late ${Date.now()}` });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer, expected: /409/ });
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Task approved.').waitFor();
      await fixture().client.post(`/api/mcp/tasks/${task.id}/cancel`, { expect: 200 });
      const toast = page.getByRole('alert').filter({ hasText: 'wasn’t accepted' });
      await toast.getByText('The task was already resolved.', { exact: true }).waitFor();
      expect(await toast.innerText()).not.toMatch(/Request ID|T\d\d:/);
    });

    it('says in its own words that somebody else has claimed the task, in the task itself too', async () => {
      const { client, open } = fixture();
      const task = await createTask({ title: `Claimed ${Date.now()}` });
      const page = await open(`/tasks/${task.id}`, { as: reviewer, expected: /409/ });
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Task approved.').waitFor();
      await client.post(`/api/mcp/tasks/${task.id}/claim`, { expect: 200 });
      const toast = page.getByRole('alert').filter({ hasText: 'wasn’t accepted' });
      await toast.getByRole('button', { name: 'Open task' }).click();
      const words = page.getByRole('main').getByText('Someone else has claimed the task.');
      await words.waitFor();
      await page.getByRole('button', { name: 'Claim', exact: true }).click();
      await page
        .getByRole('alert')
        .filter({ hasText: 'Something went wrong' })
        .getByText(/./)
        .first()
        .waitFor();
      expect(await page.locator('body').innerText()).not.toContain('is already claimed until');
    });

    it('keeps the input and says why if a decision is refused', async () => {
      const task = await createTask({ title: `Refused ${Date.now()}` });
      const page = await fixture().open(`/tasks/${task.id}`, { as: reviewer, expected: /422/ });
      await page.route(`**/api/mcp/tasks/${task.id}/decision`, (route) =>
        route.fulfill({
          status: 422,
          json: {
            status: 422,
            code: 'VALIDATION_FAILED',
            message: '/fields/amount: is required',
            errors: [{ pointer: '/fields/amount', message: 'is required' }],
          },
        }),
      );
      await page.getByLabel('Comment').fill('Kept.');
      await page.getByRole('button', { name: 'Approve' }).click();
      const toast = page.getByRole('alert').filter({ hasText: 'wasn’t accepted' });
      await toast.getByRole('button', { name: 'Open task' }).click();
      await page.getByText('Is required. You can’t edit this value in this task.').waitFor();
      expect(await page.getByLabel('Comment').inputValue()).toBe('Kept.');
      expect(await page.locator('body').innerText()).not.toContain('/fields');
      await page.unroute(`**/api/mcp/tasks/${task.id}/decision`);
    });

    it('keeps the input of a decision that is refused after the reviewer has left the inbox', async () => {
      const task = await createTask({
        title: `Refused elsewhere ${Date.now()}`,
        prefill: { amount: 120 },
        editableFields: ['amount'],
        rejectOptions: ['Too expensive'],
      });
      const page = await fixture().open(`/tasks/${task.id}`, { expected: /503/ });
      await page.route(`**/api/mcp/tasks/${task.id}/decision`, (route) =>
        route.fulfill({ status: 503, json: { status: 503, code: 'UNAVAILABLE', message: 'Not now.' } }),
      );
      await page.getByRole('textbox', { name: 'Amount' }).fill('100');
      await page.getByLabel('Reason for rejection').selectOption('Too expensive');
      await page.getByLabel('Comment').fill('Kept.');
      await page.getByRole('button', { name: 'Reject' }).click();
      const menu = page.getByRole('navigation', { name: 'Main navigation' });
      await menu.getByRole('link', { name: 'Forms' }).click();
      const toast = page.getByRole('alert').filter({ hasText: 'wasn’t accepted' });
      await toast.getByRole('button', { name: 'Open task' }).click();
      await page.getByRole('main').getByText('Not now.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('100');
      expect(await page.getByLabel('Reason for rejection').inputValue()).toBe('Too expensive');
      expect(await page.getByLabel('Comment').inputValue()).toBe('Kept.');
      await page.unroute(`**/api/mcp/tasks/${task.id}/decision`);
      await page.getByRole('button', { name: 'Reject' }).click();
      await poll(async () => (await taskOf(task)).status === 'rejected', { what: 'the rejection' });
    });

    it('says that the form of a task can’t be loaded, and loads it on request', async () => {
      const task = await createTask({ title: `Without its form ${Date.now()}`, prefill: { amount: 1 } });
      const page = await fixture().open('/tasks', { as: reviewer, expected: /503/ });
      await page.route(`**/api/forms/${templateId}`, (route) =>
        route.fulfill({
          status: 503,
          json: { status: 503, code: 'UNAVAILABLE', message: 'Try again later.' },
        }),
      );
      await page.goto(`/tasks/${task.id}`);
      const retry = page.getByRole('main').getByRole('button', { name: 'Try again' });
      await retry.waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await page.unroute(`**/api/forms/${templateId}`);
      await retry.click();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    });

    it('names the program that requested a task, and counts the pending ones', async () => {
      const { client, open } = fixture();
      const key = await client.post<{ key: string }>('/api/keys', {
        body: { name: 'Refund agent', scopes: ['tasks:create'] },
        expect: 201,
      });
      const title = `From the agent ${Date.now()}`;
      await client.post('/api/mcp/tasks', {
        body: { templateId, title },
        headers: { authorization: `Bearer ${key.body.data.key}` },
        expect: 201,
      });
      const page = await open('/', { as: reviewer });
      await page.getByRole('link', { name: title }).getByText('Requested by Refund agent').waitFor();
      await page.getByRole('link', { name: title }).click();
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText(/^Requested by Refund agent, /).waitFor();
      const inbox = page
        .getByRole('navigation', { name: 'Main navigation' })
        .getByRole('link', { name: 'Inbox' });
      expect(await inbox.innerText()).toMatch(/\d+\+?\s+pending/);
      expect(await page.title()).toMatch(/^\(\d+\+?\) From the agent/);
    });

    it('works on a phone', async () => {
      const title = `From a phone ${Date.now()}`;
      const task = await createTask({ title });
      const page = await fixture().open('/tasks', {
        as: reviewer,
        context: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
      });
      await page.getByRole('link', { name: title }).tap();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Approve' }).tap();
      await poll(async () => (await taskOf(task)).status === 'approved', { what: 'the approval' });
    });
  });
}
