import type { TaskOut } from '@svcforms/contracts';
import { createForm, poll } from '@svcforms/test-kit';
import type { Locator } from 'playwright-core';
import type { Fixture } from '../support/fixture.ts';

/** The most clicks and choices that each journey takes, from its first screen to its result. */
const BUDGET = {
  /** From the list of forms to the script tag of a new form in the clipboard. */
  embed: 6,
  /** From the overview of a form to a test event that its new webhook has received. */
  webhook: 5,
  /** From the inbox to a decision. */
  decision: 2,
  /** From the overview of a form to a published setting. */
  settings: 3,
  /** From the list of submissions to a download of two of them. */
  exportSelected: 3,
  /** From the list of submissions to the deliveries of one. */
  deliveries: 1,
} as const;

const WINDOWS = [
  ['a wide window', { width: 1280, height: 800 }],
  ['a phone', { width: 390, height: 844 }],
] as const;

/** Counts the clicks of a journey. */
function counter() {
  let clicks = 0;
  return {
    async click(target: Locator) {
      await target.click();
      clicks += 1;
    },
    clicks: () => clicks,
  };
}

export function journeyScenarios(fixture: () => Fixture): void {
  describe.each(WINDOWS)('the journeys in %s', (_, viewport) => {
    const options = { context: { viewport } };

    it('lead from the list of forms to the script tag of a new one', async () => {
      const { click, clicks } = counter();
      const name = `Journey ${Date.now()}`;
      const page = await fixture().open('/forms', options);
      await click(page.getByRole('button', { name: 'New form' }));
      const dialog = page.getByRole('dialog', { name: 'New form' });
      await click(dialog.getByRole('radio', { name: 'Contact', exact: true }));
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      await click(dialog.getByRole('button', { name: 'Create form' }));
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      await click(page.getByRole('button', { name: 'Publish', exact: true }));
      await page.getByText('All changes published').waitFor();
      await click(
        page.getByRole('navigation', { name: 'Form sections' }).getByRole('link', { name: 'Share' }),
      );
      await click(page.getByRole('button', { name: 'Copy: Script tag', exact: true }));
      const tag = await page.evaluate(() => navigator.clipboard.readText());
      expect(tag).toContain('/embed.js');
      expect(clicks()).toBeLessThanOrEqual(BUDGET.embed);
    });

    it('lead from a form to a test event that its webhook has received', async () => {
      const { click, clicks } = counter();
      const { client, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}`, options);
      await click(
        page.getByRole('navigation', { name: 'Form sections' }).getByRole('link', { name: 'Webhooks' }),
      );
      await click(page.getByRole('button', { name: 'Add webhook' }));
      const dialog = page.getByRole('dialog', { name: 'Add webhook' });
      await dialog.getByLabel('Endpoint URL').fill(`${endpoint.url}/hook`);
      await click(dialog.getByRole('button', { name: 'Add webhook' }));
      await click(page.getByRole('button', { name: 'I’ve copied it' }));
      await click(page.getByRole('button', { name: 'Send test event' }));
      await endpoint.waitFor(1, 'the test event');
      expect(clicks()).toBeLessThanOrEqual(BUDGET.webhook);
    });

    it('lead from the inbox to a decision', async () => {
      const { click, clicks } = counter();
      const { client, open } = fixture();
      const form = await createForm(client, { fields: [{ name: 'note', type: 'text' }] });
      const body = { templateId: form.id, title: `Decide ${Date.now()}` };
      const task = await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 });
      const page = await open('/tasks', options);
      await click(page.getByRole('link', { name: body.title }));
      await click(page.getByRole('button', { name: 'Approve' }));
      await poll(
        async () => {
          const path = `/api/mcp/tasks/${task.body.data.id}`;
          return (await client.get<TaskOut>(path, { expect: 200 })).body.data.status === 'approved';
        },
        { what: 'the decision', timeoutMs: 15_000 },
      );
      expect(clicks()).toBeLessThanOrEqual(BUDGET.decision);
    });

    it('lead from a form to a published setting', async () => {
      const { click, clicks } = counter();
      const form = await createForm(fixture().client);
      const page = await fixture().open(`/forms/${form.id}`, options);
      await click(
        page.getByRole('navigation', { name: 'Form sections' }).getByRole('link', { name: 'Settings' }),
      );
      await click(page.getByRole('switch', { name: 'Store the IP address' }));
      await click(page.getByRole('button', { name: 'Publish', exact: true }));
      await page.getByText('All changes published').waitFor();
      expect(clicks()).toBeLessThanOrEqual(BUDGET.settings);
    });

    it('lead from the submissions to a download and to their deliveries', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: [{ name: 'email', type: 'email', label: 'Email' }] });
      for (const email of ['ada@example.com', 'alan@example.com']) {
        await visitor.post(`/api/forms/${form.id}/submissions`, { body: { data: { email } }, expect: 201 });
      }
      const page = await open(`/forms/${form.id}/submissions`, options);
      const boxes = page.getByRole('checkbox', { name: /^Select submission/ });
      await poll(async () => (await boxes.count()) === 2, { what: 'both submissions' });
      const exporting = counter();
      await exporting.click(boxes.nth(0));
      await exporting.click(boxes.nth(1));
      const download = page.waitForEvent('download');
      await exporting.click(page.getByRole('link', { name: 'Export selected as CSV' }));
      await download;
      expect(exporting.clicks()).toBeLessThanOrEqual(BUDGET.exportSelected);

      const opening = counter();
      await opening.click(page.getByRole('table').getByRole('link').first());
      await page
        .getByRole('dialog', { name: 'Submission' })
        .getByText('No webhook has received this submission.')
        .waitFor();
      expect(opening.clicks()).toBeLessThanOrEqual(BUDGET.deliveries);
    });
  });
}
