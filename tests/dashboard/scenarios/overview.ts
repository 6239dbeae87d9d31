import { createForm, poll } from '@svcforms/test-kit';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

export function overviewScenarios(fixture: () => Fixture): void {
  describe('the overview of a form', () => {
    it('compares the chosen period with the one before, and shows the conversion rate', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { settings: { popup: { enabled: true, trigger: 'exit' } } });
      for (const type of ['shown', 'shown', 'shown', 'shown', 'converted'])
        await visitor.post(`/api/forms/${form.id}/events`, { body: { type }, expect: 204 });
      await poll(
        async () => {
          const { body } = await client.get<{ shown: number; converted: number }[]>(
            `/api/forms/${form.id}/stats`,
          );
          return body.data.some(({ shown, converted }) => shown === 4 && converted === 1);
        },
        { what: 'the counts' },
      );
      const page = await open(`/forms/${form.id}`);
      const card = (name: string) => page.getByRole('group', { name, exact: true });
      await card('Conversion rate').getByText('25.0%').waitFor();
      await card('Impressions').getByText('4', { exact: true }).waitFor();
      await card('Impressions').getByText('None in the period before').waitFor();
      await card('Declines').getByText('Same as in the period before').waitFor();
      expect(await violations(page)).toEqual([]);

      await page.getByRole('radiogroup', { name: 'Period' }).getByText('7 days').click();
      await page.waitForURL(/\?range=7d$/);
      await card('Impressions').getByText('4', { exact: true }).waitFor();
      await page.getByRole('radiogroup', { name: 'Period' }).getByText('Custom').click();
      const [today = '', old = ''] = [0, 400].map((days) =>
        new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10),
      );
      await page.getByLabel('First day').fill(old);
      await page.getByText('A period has at most 366 days.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Last day').fill(old);
      await card('Impressions').getByText('0', { exact: true }).waitFor();
      await card('Conversion rate').getByText('–', { exact: true }).waitFor();
      await page.getByLabel('Last day').fill(today);
      await page.getByLabel('First day').fill(today);
      await card('Impressions').getByText('4', { exact: true }).waitFor();
      expect(new URL(page.url()).searchParams.get('from')).toBe(today);
      await page.getByText('Show as table').click();
      await page.getByRole('table', { name: 'Counts by day' }).getByRole('cell', { name: today }).waitFor();
    });

    it('counts views of a form without a popup, and summarizes the responses to each question', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, {
        fields: [
          {
            name: 'plan',
            type: 'radio',
            label: 'Plan',
            options: [{ value: 's', label: 'Small' }, { value: 'l' }],
          },
          { name: 'score', type: 'rating', label: 'Recommend us?', min: 0, max: 10 },
          { name: 'seats', type: 'number', label: 'Seats' },
        ],
        settings: { metadata: { includeUserAgent: true } },
      });
      await visitor.post(`/api/forms/${form.id}/events`, { body: { type: 'viewed' }, expect: 204 });
      const headers = { 'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile' };
      for (const [plan, score, seats] of [
        ['s', 10, 1],
        ['s', 9, 2],
        ['l', 0, 6],
      ]) {
        const body = { data: { plan, score, seats }, page: 'https://shop.example/pricing' };
        await visitor.post(`/api/forms/${form.id}/submissions`, { body, headers, expect: 201 });
      }
      const page = await open(`/forms/${form.id}`);
      const card = (name: string) => page.getByRole('group', { name, exact: true });
      const lines = async (name: string) => (await card(name).innerText()).split(/\s*\n\s*/);
      await card('Views').getByText('1', { exact: true }).waitFor();
      await card('Plan').waitFor();
      expect(await lines('Plan')).toEqual(['Plan', '3 responses', 'Small', '2 (67%)', 'l', '1 (33%)']);
      expect(await lines('Recommend us?')).toEqual(
        expect.arrayContaining(['NPS', '33', 'Promoters', '2', 'Detractors', '1']),
      );
      expect(await lines('Seats')).toEqual(
        expect.arrayContaining(['Average', '3', 'Median', '2', 'Min', '1', 'Max', '6']),
      );
      await card('Pages').getByText('shop.example/pricing').waitFor();
      await card('Devices').getByText('Phone').waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('labels its chart with whole numbers and with dates at equal distances', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { settings: { popup: { enabled: true, trigger: 'exit' } } });
      await visitor.post(`/api/forms/${form.id}/events`, { body: { type: 'shown' }, expect: 204 });
      await poll(
        async () => {
          const { body } = await client.get<{ shown: number }[]>(`/api/forms/${form.id}/stats`);
          return body.data.some(({ shown }) => shown === 1);
        },
        { what: 'the impression' },
      );
      const page = await open(`/forms/${form.id}`);
      const ticks = (axis: 'x' | 'y') =>
        page.locator(`.recharts-${axis}Axis-tick-labels .recharts-cartesian-axis-tick-value`);
      await ticks('y').first().waitFor();
      const numbers = (await ticks('y').allTextContents()).map(Number);
      expect(numbers.length).toBeGreaterThan(1);
      expect(numbers.filter((number) => !Number.isInteger(number))).toEqual([]);
      expect(new Set(numbers).size).toBe(numbers.length);

      const days = (await ticks('x').allTextContents()).map(
        (text) => Date.parse(`${text} 2026 UTC`) / 86_400_000,
      );
      expect(days.length).toBeGreaterThan(3);
      // The year may end between two labels.
      const distances = days.slice(1).map((day, n) => (day - (days[n] ?? 0) + 365) % 365);
      expect(new Set(distances).size).toBe(1);
    });
  });
}
