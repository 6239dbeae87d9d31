import { createForm, poll } from '@svcforms/test-kit';
import type { Fixture } from '../support/fixture.ts';

export function overviewScenarios(fixture: () => Fixture): void {
  describe('the overview of a form', () => {
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
