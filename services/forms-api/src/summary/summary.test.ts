import type { FormSummaryOut } from '@svcforms/contracts';
import { openFormsApi } from '../../test/fixture.ts';
import { storeSubmissions } from '../../test/submissions.ts';

const AT = Date.parse('2026-03-14T09:00:00.000Z');
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148';

describe('GET /api/forms/{formId}/summary', () => {
  let api: Awaited<ReturnType<typeof openFormsApi>>;
  beforeAll(async () => void (api = await openFormsApi()));

  const summaryOf = async (formId: string, query = '') =>
    (await api.client.get<FormSummaryOut>(`/api/forms/${formId}/summary${query}`, { expect: 200 })).body.data;

  it('counts choices, and has the numbers, the score, the pages and the devices', async () => {
    const form = await api.createForm({
      fields: [
        { name: 'email', type: 'email' },
        { name: 'size', type: 'radio', options: [{ value: 's' }, { value: 'l' }] },
        { name: 'tags', type: 'checkboxes', options: [{ value: 'a' }, { value: 'b' }] },
        { name: 'people', type: 'number' },
        { name: 'score', type: 'rating', min: 0, max: 10 },
        { name: 'terms', type: 'consent', label: 'I agree' },
      ],
    });
    const rows = [
      { size: 'l', tags: ['a', 'b'], people: 1, score: 10, terms: { accepted: true, text: 'I agree' } },
      { size: 'l', tags: ['b'], people: 2.5, score: 9, email: 'ada@example.com' },
      { size: 's', people: 10, score: 7 },
      { size: 's', score: 0, tags: [] },
      { size: 'l', people: '7', old: 'key' },
    ];
    await storeSubmissions(
      api.store,
      form,
      rows.map((data, n) => ({
        data,
        at: AT + n,
        metadata: {
          page: `https://shop.example/a?visitor=${n}`,
          userAgent: n < 2 ? PHONE : 'Mozilla/5.0 (X11)',
        },
      })),
    );
    await storeSubmissions(api.store, form, [{ data: { size: 's' }, at: AT - 40 * 86_400_000 }]);
    expect(await summaryOf(form.id)).toEqual({
      submissions: 5,
      isComplete: true,
      fields: [
        {
          name: 'size',
          answered: 5,
          choices: [
            { value: 'l', count: 3 },
            { value: 's', count: 2 },
          ],
        },
        {
          name: 'tags',
          answered: 2,
          choices: [
            { value: 'b', count: 2 },
            { value: 'a', count: 1 },
          ],
        },
        { name: 'people', answered: 4, numbers: { min: 1, max: 10, mean: 4.5, median: 2.5 } },
        {
          name: 'score',
          answered: 4,
          choices: ['0', '10', '7', '9'].map((value) => ({ value, count: 1 })),
          numbers: { min: 0, max: 10, mean: 6.5, median: 8 },
          nps: { score: 25, promoters: 2, passives: 1, detractors: 1 },
        },
        { name: 'terms', answered: 1, choices: [{ value: 'true', count: 1 }] },
      ],
      pages: [{ page: 'https://shop.example/a', count: 5 }],
      devices: [
        { device: 'desktop', count: 3 },
        { device: 'phone', count: 2 },
      ],
    });
    expect((await summaryOf(form.id, '?from=2026-01-01')).submissions).toBe(6);
  });

  it('has the mean and the median of the largest numbers', async () => {
    const form = await api.createForm({ fields: [{ name: 'n', type: 'number' }] });
    const rows = [1e308, 1.5e308, 1.7e308].map((n, index) => ({ data: { n }, at: AT + index }));
    await storeSubmissions(api.store, form, rows);
    const [field] = (await summaryOf(form.id)).fields;
    expect(field?.numbers).toMatchObject({ min: 1e308, max: 1.7e308, median: 1.5e308 });
    expect((field?.numbers?.mean ?? 0) / 1.4e308).toBeCloseTo(1);
  });

  it('has the mean and the median of small numbers', async () => {
    const form = await api.createForm({ fields: [{ name: 'n', type: 'number' }] });
    const rows = [-0.001, -0.002, -0.0044].map((n, index) => ({ data: { n }, at: AT + index }));
    await storeSubmissions(api.store, form, rows);
    const [field] = (await summaryOf(form.id)).fields;
    expect(field?.numbers).toEqual({ min: -0.0044, max: -0.001, mean: -0.0025, median: -0.002 });
  });

  it('reads at most the newest 5 000 submissions', async () => {
    const form = await api.createForm({ fields: [{ name: 'n', type: 'number' }] });
    for (let start = 0; start < 5_200; start += 1_300)
      await storeSubmissions(
        api.store,
        form,
        Array.from({ length: 1_300 }, (_, n) => ({ data: { n: start + n }, at: AT + start + n })),
      );
    const { submissions, isComplete, fields } = await summaryOf(form.id);
    expect(isComplete).toBe(false);
    expect(submissions).toBeLessThanOrEqual(5_000);
    expect(fields[0]?.numbers?.max).toBe(5_199);
  });

  it('is complete with exactly 5 000 submissions', async () => {
    const form = await api.createForm({ fields: [{ name: 'n', type: 'number' }] });
    for (let start = 0; start < 5_000; start += 1_000)
      await storeSubmissions(
        api.store,
        form,
        Array.from({ length: 1_000 }, (_, n) => ({ data: { n: start + n }, at: AT + start + n })),
      );
    expect(await summaryOf(form.id)).toMatchObject({ submissions: 5_000, isComplete: true });
  });

  it('is refused for a wrong period, and is 404 for a form of another account', async () => {
    const form = await api.createForm();
    await api.client.get(`/api/forms/${form.id}/summary?from=2026-03-20&to=2026-03-01`, { expect: 422 });
    await api.client.get('/api/forms/frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y/summary', { expect: 404 });
  });
});
