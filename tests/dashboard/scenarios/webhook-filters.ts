import { createForm, poll } from '@svcforms/test-kit';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

const FIELDS = [
  { name: 'email', type: 'email', label: 'Email' },
  { name: 'seats', type: 'number', label: 'Seats' },
];

export function webhookFiltersScenarios(fixture: () => Fixture): void {
  describe('filters of webhooks', () => {
    it('are edited with a preview of recent events, and exclude the others', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client, { fields: FIELDS });
      const submit = (email: string, seats: number) =>
        visitor.post(`/api/forms/${form.id}/submissions`, { body: { data: { email, seats } }, expect: 201 });
      await submit('ada@example.com', 5);
      await submit('bob@other.example', 60);

      const page = await open(`/forms/${form.id}/webhooks`);
      await page.getByRole('button', { name: 'Add webhook' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add webhook' });
      await dialog.getByLabel('Endpoint URL').fill(`${endpoint.url}/hook`);
      await dialog.getByLabel('Only events that match a filter').check();
      const first = dialog.getByRole('group', { name: 'Condition 1' }).first();
      await first.getByLabel('Field').selectOption('Email');
      await first.getByLabel('Operator').selectOption('contains');
      await first.getByLabel('Value').fill('@example.com');
      const preview = dialog.getByRole('region', { name: 'Would this have matched?' });
      await preview.getByText('1 of 2 match.').waitFor();
      const rowOf = (text: string) => preview.getByRole('row').filter({ hasText: text });
      await rowOf('Email: "ada@example.com"').getByText('Matches', { exact: true }).waitFor();
      await rowOf('Email: "bob@other.example"').getByText('Doesn’t match').waitFor();
      expect(await violations(page)).toEqual([]);

      await dialog.getByLabel('When', { exact: true }).selectOption('Any condition is met');
      await dialog.getByRole('button', { name: 'Add group' }).click();
      const inner = dialog.getByRole('group', { name: 'Group of conditions' }).nth(1);
      const second = inner.getByRole('group', { name: 'Condition 1' });
      await second.getByLabel('Field').selectOption('Seats');
      await second.getByLabel('Operator').selectOption('is at least');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await dialog.getByText('Complete the filter.').waitFor();
      await second.getByText(/^Is required: a number/).waitFor();
      await second.getByLabel('Value').fill('50');
      await preview.getByText('2 of 2 match.').waitFor();
      await rowOf('Seats: 60').getByText('Matches', { exact: true }).waitFor();

      await dialog.getByRole('button', { name: 'Edit as JSON' }).click();
      const json = dialog.getByLabel('Filter as JSON');
      const text = await json.inputValue();
      expect(JSON.parse(text)).toEqual({
        any: [
          { path: '/data/email', op: 'contains', value: '@example.com' },
          { all: [{ path: '/data/seats', op: 'gte', value: 50 }] },
        ],
      });
      await json.fill(text.replace('gte', 'min'));
      await dialog.getByText(/^\/any\/1\/all\/0\/op: Must be one of: eq, /).waitFor();
      await json.fill(text.replace('50', '51'));
      await dialog.getByRole('button', { name: 'Edit visually' }).click();
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await page
        .getByRole('dialog', { name: 'Webhook added' })
        .getByRole('button', { name: 'I’ve copied it' })
        .click();

      const panel = page.getByRole('region', { name: 'Filter', exact: true });
      await panel.getByText('Email contains "@example.com" or Seats is at least 51').waitFor();
      await panel.getByText('Events filtered out: 0 since the last change').waitFor();
      await submit('eve@other.example', 50);
      await submit('eve@other.example', 51);
      await endpoint.waitFor(({ rawBody }) => rawBody.includes('"seats":51'), 'the event that passes');
      await panel.getByText('3 of 4 match.').waitFor();
      await panel.getByText(/Events filtered out: 1 since the last change, the last one /).waitFor();
      expect(endpoint.requests.filter(({ rawBody }) => rawBody.includes('"seats":50'))).toEqual([]);
      expect(await violations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      expect(await edit.getByLabel('Value').first().inputValue()).toBe('@example.com');
      await edit.getByLabel('All of the events above').check();
      await edit.getByRole('button', { name: 'Save' }).click();
      await panel.waitFor({ state: 'detached' });
      await submit('eve@other.example', 1);
      await poll(() => endpoint.requests.some(({ rawBody }) => rawBody.includes('"seats":1}')));
    });
  });
}
