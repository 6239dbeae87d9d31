import type { TaskOut } from '@svcforms/contracts';
import { createForm, poll, type SlackRequest } from '@svcforms/test-kit';
import { overflowIn, violationsInBoth } from '../support/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

const CHANNEL = 'C0123456789';
const TEAM = 'T0123456789';

export function slackScenarios(fixture: () => Fixture): void {
  describe('Slack', () => {
    /** Sends a request of Slack to the product. */
    const send = async ({ body: rawBody, headers }: SlackRequest): Promise<void> => {
      await fixture().visitor.post('/api/slack/interactions', { rawBody, headers, expect: 200 });
    };

    it('gets a channel in Settings, and a test message shows whether Slack takes it', async () => {
      const { open, slack } = fixture();
      const page = await open('/settings/account', { expected: /409|422/ });
      const channel = page.getByLabel('Channel for new tasks');
      const test = page.getByRole('button', { name: 'Send test message' });
      await channel.fill('general');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('must be the id of a Slack channel').first().waitFor();
      expect(await test.count()).toBe(0);
      await channel.fill(CHANNEL);
      await page.getByRole('button', { name: 'Save' }).click();
      await test.click();
      await page.getByText(`Test message sent to ${CHANNEL}.`).waitFor();
      expect(slack.messages.at(-1)).toMatchObject({
        channel: CHANNEL,
        text: expect.stringContaining('Test message'),
      });

      slack.set({ error: 'not_in_channel' });
      await test.click();
      await page.getByText('Slack refused the message: not_in_channel. Invite the app').waitFor();
      slack.set('up');
      expect(await violationsInBoth(page)).toEqual([]);
      expect(await overflowIn(page, { width: 320, height: 640 })).toBe(0);
    });

    it('connects a reviewer, whose click then decides, and disconnects them', async () => {
      const { open, slack, client, newUser } = fixture();
      await client.patch('/api/account', { body: { slackChannel: CHANNEL }, expect: 200 });
      const reviewer = await newUser('reviewer');
      const member = { id: 'U0123456789', teamId: TEAM, email: reviewer.email };
      slack.addMember(member);
      const { id: templateId } = await createForm(client, { name: 'Refund', fields: [] });
      const body = { templateId, title: `Refund ${Date.now()}` };
      const task = (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body.data;

      const page = await open('/settings', { as: reviewer });
      await page.getByText('Not connected. Click a button of a task in Slack').waitFor();
      const message = await poll(() => slack.messages.find(({ text }) => text.includes(body.title)), {
        what: 'the message in Slack',
      });
      const { approved = {} } = slack.buttonsOf(message);
      const asked = slack.ephemeral.length;
      await send(slack.click(member, approved));
      const link = await poll(
        () => slack.ephemeral.slice(asked).map((text) => /\/connect-slack#[^|]+/.exec(text)?.[0])[0],
        { what: 'the link' },
      );
      await page.goto(link);
      await page.getByText(`Connect your Slack user to The reviewer (${reviewer.email})?`).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      expect(await overflowIn(page, { width: 320, height: 640 })).toBe(0);
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('Your Slack user is connected.').waitFor();

      await send(slack.click(member, approved));
      await page.goto(`/tasks/${task.id}`);
      await page.getByText(/Decided \(Approved\).* in Slack/).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);

      await page.goto('/settings');
      await page.getByText(`Connected as ${member.id} since`).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('Not connected.').waitFor();
    });

    it('says what is wrong with a link', async () => {
      const page = await fixture().open('/connect-slack', { expected: /422/ });
      await page.getByText('This link is incomplete.').waitFor();
      await page.goto('/connect-slack#v1.a.b.c');
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('is not a valid link, or has expired').waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
    });

    it('gets a channel of its own for a form', async () => {
      const { open, client } = fixture();
      const { id } = await createForm(client, { name: 'Channel', fields: [] });
      const page = await open(`/forms/${id}/build`);
      await page.getByRole('button', { name: 'Approvals' }).click();
      await page.getByLabel('Slack channel').fill('none');
      expect(await violationsInBoth(page)).toEqual([]);
    });
  });
}
