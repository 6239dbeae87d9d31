import type { SubmissionOut } from '@svcforms/contracts';
import { createForm, openInbound, poll, sendInbound, type Client } from '@svcforms/test-kit';
import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { overflow } from '../support/accessibility.ts';
import { recordRequests } from '../support/requests.ts';
import type { Fixture } from '../support/fixture.ts';

const FIELDS = [
  { name: 'email', type: 'email', label: 'Email' },
  {
    name: 'size',
    type: 'select',
    label: 'Size',
    options: [
      { value: 's', label: 'Small' },
      { value: 'l', label: 'Large' },
    ],
  },
  { name: 'news', type: 'checkbox' },
  { name: 'from', type: 'textarea', label: 'Came from' },
  // Two fields may have the same label.
  { name: 'second', type: 'email', label: 'Email' },
];

const submit = async (visitor: Client, formId: string, data: object) => {
  const response = await visitor.post<{ submissionId: string }>(`/api/forms/${formId}/submissions`, {
    body: { data, page: 'https://shop.example/pricing' },
    expect: 201,
  });
  return response.body.data.submissionId;
};

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Submissions' }).getByRole('row');

async function textOf(download: Promise<Download>): Promise<string> {
  return readFile(await (await download).path(), 'utf8');
}

export function submissionsScenarios(fixture: () => Fixture): void {
  describe('submissions', () => {
    it('keep email addresses whole beside long texts, and labels with long words narrow', async () => {
      const { client, visitor, open } = fixture();
      const label = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
      const fields = [...FIELDS.slice(0, 2), { name: 'long', type: 'text', label }, FIELDS[3]];
      const form = await createForm(client, { fields });
      const email = 'person319@example.com';
      await submit(visitor, form.id, { email, long: 'Ada', from: 'A long text. '.repeat(20) });
      const page = await open(`/forms/${form.id}/submissions`);
      await page.getByText(email).waitFor();
      const height = async (text: string) => (await page.getByText(text).boundingBox())?.height;
      expect(await height(email)).toBe(await height('Ada'));
      expect((await page.getByRole('columnheader', { name: label }).boundingBox())?.width).toBeLessThan(260);
    });

    it('keep their filters narrow beside a long question', async () => {
      const { client, open } = fixture();
      const label =
        'How likely are you to recommend us to a friend or a colleague, and what is the main reason?';
      const form = await createForm(client, { fields: [{ name: 'nps', type: 'number', label }] });
      const page = await open(`/forms/${form.id}/submissions`);
      const sort = page.getByLabel('Sort by');
      await sort.selectOption(`${label}, ascending`);
      expect((await sort.boundingBox())?.width).toBeLessThan(230);
    });

    it('name a consent, and link what its text links to', async () => {
      const { client, visitor, open } = fixture();
      const label = 'I agree to the [terms](https://example.com/terms).';
      const form = await createForm(client, { fields: [{ name: 'terms', type: 'consent', label }] });
      const submissionId = await submit(visitor, form.id, { terms: true });
      const page = await open(`/forms/${form.id}/submissions/${submissionId}`);
      const values = page.getByRole('region', { name: 'Values' });
      await values.getByRole('rowheader', { name: 'Consent', exact: true }).waitFor();
      await values.getByRole('cell', { name: 'Accepted: I agree to the terms.', exact: true }).waitFor();
      const link = values.getByRole('link', { name: 'terms', exact: true });
      expect(await link.getAttribute('href')).toBe('https://example.com/terms');
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    });

    it('are listed, searched, filtered and exported, with the filters in the URL', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      await submit(visitor, form.id, { email: 'ada@example.com', size: 's', news: true });
      await submit(visitor, form.id, { email: 'grace@example.com', size: 'l', second: 'g@example.com' });
      await sendInbound(client, await openInbound(client, form.id), { email: 'alan@example.com' });

      const page = await open(`/forms/${form.id}`);
      await page.getByRole('link', { name: 'Submissions' }).click();
      await page.getByRole('cell', { name: 'Small' }).waitFor();
      expect(await rowsOf(page).count()).toBe(4);
      expect(await rowsOf(page).first().innerText()).toMatch(
        /Received\s+Email\s+Size\s+news\s+Came from\s+Source/,
      );
      await rowsOf(page).filter({ hasText: 'ada@example.com' }).getByRole('cell', { name: 'Yes' }).waitFor();

      await page.getByRole('button', { name: 'Columns' }).click();
      const chooser = page.getByRole('group', { name: 'Visible fields' });
      await chooser.getByLabel('Came from').click();
      await page.getByRole('columnheader', { name: 'Came from' }).waitFor({ state: 'detached' });
      await chooser.getByLabel('Email').nth(1).click();
      await page.getByRole('cell', { name: 'g@example.com' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByLabel('Source').selectOption('Visitor');
      await rowsOf(page).filter({ hasText: 'alan' }).waitFor({ state: 'detached' });
      await page.getByRole('searchbox').fill('ADA');
      await rowsOf(page).filter({ hasText: 'grace' }).waitFor({ state: 'detached' });
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        columns: 'email,size,news,second',
        via: 'web',
        q: 'ADA',
      });
      await page.reload();
      await rowsOf(page).filter({ hasText: 'ada@example.com' }).waitFor();
      expect(await rowsOf(page).count()).toBe(2);

      const csv = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV' }).click();
      expect((await textOf(csv)).trim().split('\n')).toEqual([
        expect.stringContaining('email'),
        expect.stringContaining('ada@example.com'),
      ]);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await rowsOf(page).filter({ hasText: 'alan' }).waitFor();
      const ndjson = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export NDJSON' }).click();
      const lines = (await textOf(ndjson)).trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as SubmissionOut).data['email'])).toEqual([
        'alan@example.com',
        'grace@example.com',
        'ada@example.com',
      ]);
      const today = new Date().toISOString().slice(0, 10);
      await page.getByLabel('To', { exact: true }).fill(today);
      await page.waitForURL((url) => url.searchParams.get('to') === today);
      await page.getByLabel('To', { exact: true }).fill('2020-01-01');
      await page.getByText('No submissions match these filters.').waitFor();
    });

    it('are searched by as much of a URL as the API takes, and exported', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const where = JSON.stringify([1, 2, 3, 4, 5, 6].map((n) => `email:${n}`));
      const page = await open(`/forms/${form.id}/submissions?q=${'x'.repeat(300)}&where=${where}`);
      await page.getByText('No submissions match these filters.').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Remove filter/ }).count()).toBe(5);
      const csv = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export CSV' }).click();
      expect(await textOf(csv)).toContain('email');

      const search = page.getByRole('searchbox');
      await search.fill('');
      await page.keyboard.insertText('y'.repeat(201));
      expect(await search.inputValue()).toBe('y'.repeat(200));
    });

    it('stay without columns after the last one is removed', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS.slice(0, 2) });
      await submit(visitor, form.id, { email: 'ada@example.com' });
      const page = await open(`/forms/${form.id}/submissions`);
      const headings = async () => page.getByRole('columnheader').allInnerTexts();
      const until = (expected: string[]) =>
        poll(async () => String(await headings()) === String(expected), { what: expected.join() });
      await until(['Received', 'Email', 'Size', 'Source']);
      await page.getByRole('button', { name: 'Columns' }).click();
      const chooser = page.getByRole('group', { name: 'Visible fields' });
      for (const label of ['Email', 'Size']) await chooser.getByLabel(label).uncheck();
      await until(['Received', 'Source']);
      await page.reload();
      await until(['Received', 'Source']);
      await page.getByRole('button', { name: 'Columns' }).click();
      await chooser.getByLabel('Size').check();
      await until(['Received', 'Size', 'Source']);
    });

    it('are filtered by choices without a visible label, which their values name', async () => {
      const { client, open } = fixture();
      const options = [
        { value: 'small', label: ' ' },
        { value: 'large', label: ' ' },
      ];
      const form = await createForm(client, {
        fields: [{ name: 'size', type: 'select', label: ' ', options }],
      });
      const page = await open(`/forms/${form.id}/submissions`);
      await page.getByRole('button', { name: 'Filter by field' }).click();
      await page.getByLabel('Field', { exact: true }).selectOption('size');
      await page.getByLabel('Is', { exact: true }).selectOption({ label: 'large' });
      await page.getByRole('button', { name: 'Apply filter' }).click();
      await page.getByText('size: large', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Remove filter size: large' }).waitFor();
    });

    it('in quarantine are listed apart with the reason, released and deleted', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, {
        fields: FIELDS,
        settings: { spam: { isEnabled: true, blockList: ['spam.example'] } },
      });
      for (const name of ['a', 'b', 'c', 'd'])
        await submit(visitor, form.id, { email: `${name}@example.com` });
      await submit(visitor, form.id, { email: 'x@spam.example' });
      const list = async (status: string) =>
        (
          await client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions?status=${status}`)
        ).body.data.map(({ data }) => data['email']);
      const page = await open(`/forms/${form.id}/submissions`);
      await page.getByText('All submissions so far are in quarantine.').waitFor();
      await page.getByRole('link', { name: 'View quarantine' }).click();
      await page.waitForURL('**/submissions?list=quarantine');
      await page.goBack();
      await page.getByRole('link', { name: 'View quarantine' }).click();
      const blocked = rowsOf(page).filter({ hasText: 'Blocked domain' });
      await blocked.getByRole('cell', { name: 'x@spam.example' }).waitFor();
      expect(await rowsOf(page).filter({ hasText: 'Not sent by the form' }).count()).toBe(4);
      expect(await violations(page)).toEqual([]);

      for (const name of ['a', 'b']) {
        await rowsOf(page)
          .filter({ hasText: `${name}@example.com` })
          .getByRole('checkbox')
          .check();
      }
      await page.getByText('2 selected').waitFor();
      await page.getByRole('button', { name: 'Release selected' }).click();
      await page.getByText('2 submissions released.').waitFor();
      await rowsOf(page).filter({ hasText: 'a@example.com' }).waitFor({ state: 'detached' });
      expect(await list('accepted')).toEqual(['b@example.com', 'a@example.com']);

      await blocked.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Delete selected' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete 1 submission?' });
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await blocked.waitFor({ state: 'detached' });

      await rowsOf(page).filter({ hasText: 'c@example.com' }).getByRole('link').click();
      const opened = page.getByRole('dialog', { name: 'Submission' });
      await opened.getByText('Not sent by the form').waitFor();
      await opened.getByRole('button', { name: 'Release' }).click();
      await opened.getByText('Accepted', { exact: true }).waitFor();
      expect([await list('accepted'), await list('quarantined')]).toEqual([
        ['c@example.com', 'b@example.com', 'a@example.com'],
        ['d@example.com'],
      ]);
    });

    it('appear automatically, open, and are deleted', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const page = await open(`/forms/${form.id}/submissions`, { expected: /404/ });
      await page.getByText('No submissions yet.').waitFor();
      const data = { email: 'ada@example.com', size: 'l', extra: 1, from: '<b>bold</b>\nand a second line' };
      const submissionId = await submit(visitor, form.id, data);
      const cell = page.getByRole('cell', { name: '<b>bold</b>' });
      await cell.waitFor();
      await page.getByRole('status').filter({ hasText: '1 new submission' }).waitFor();

      await page.getByRole('link', { name: /ago|now/ }).click();
      await page.waitForURL(`**/submissions/${submissionId}`);
      const values = page.getByRole('region', { name: 'Values' });
      await values.getByRole('cell', { name: 'Large' }).waitFor();
      expect(await values.innerText()).toContain('<b>bold</b>\nand a second line');
      await page.getByText('https://shop.example/pricing').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: /^Copied/ }).waitFor();
      const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as SubmissionOut;
      expect(copied.id).toBe(submissionId);

      await page.getByRole('button', { name: 'Delete' }).click();
      const question = page.getByRole('dialog', { name: 'Delete this submission?' });
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No submissions yet.').waitFor();
      await client.get(`/api/submissions/${submissionId}`, { expect: 404 });
      await page.goto(`/forms/${form.id}/submissions/${submissionId}`);
      await page.getByText('This submission doesn’t exist. It may have been deleted.').waitFor();
    });

    it('are counted as they arrive and are released and deleted', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, {
        fields: FIELDS,
        settings: { spam: { isEnabled: true, blockList: [] } },
      });
      const inbound = await openInbound(client, form.id);
      const receive = async (email: string) => {
        expect((await sendInbound(visitor, inbound, { email })).status).toBe(202);
      };
      await receive('a@example.com');
      await submit(visitor, form.id, { email: 'blocked@example.com' });
      const page = await open(`/forms/${form.id}/submissions`);
      const total = (count: number) =>
        page.getByText(`${count} submission${count === 1 ? '' : 's'}`, { exact: true }).waitFor();
      await total(1);
      await receive('b@example.com');
      await rowsOf(page).filter({ hasText: 'b@example.com' }).waitFor();
      await total(2);
      const opened = page.getByRole('dialog', { name: 'Submission' });
      await rowsOf(page).filter({ hasText: 'b@example.com' }).getByRole('link').click();
      await opened.getByRole('button', { name: 'Delete' }).click();
      const question = page.getByRole('dialog', { name: 'Delete this submission?' });
      await question.getByRole('button', { name: 'Delete' }).click();
      await total(1);
      await page.getByLabel('Status').selectOption('Quarantine');
      await rowsOf(page).filter({ hasText: 'blocked@example.com' }).getByRole('link').click();
      await opened.getByRole('button', { name: 'Release' }).click();
      await opened.getByText('Accepted', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('Status').selectOption('Accepted');
      await total(2);
    });

    it('that the list starts with are not announced as new, even with the oldest first', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      for (const name of ['a', 'b', 'c']) await submit(visitor, form.id, { email: `${name}@example.com` });
      const page = await open(`/forms/${form.id}/submissions?sort=createdAt`);
      await rowsOf(page).filter({ hasText: 'c@example.com' }).waitFor();
      expect(await page.getByRole('status').filter({ hasText: 'new submission' }).count()).toBe(0);
    });

    it('are read one after the other, in the order of the list, with the keyboard', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      for (const name of ['b', 'c', 'a']) await submit(visitor, form.id, { email: `${name}@example.com` });
      const page = await open(`/forms/${form.id}/submissions`);
      await page.getByRole('button', { name: 'Sort by Email' }).click();
      await rowsOf(page).filter({ hasText: 'a@example.com' }).getByRole('link').click();
      const opened = page.getByRole('dialog', { name: 'Submission' });
      const shows = (email: string) => opened.getByText(email, { exact: true }).waitFor();
      await shows('a@example.com');
      expect(await violations(page)).toEqual([]);
      const next = opened.getByRole('button', { name: 'Next submission' });
      await next.focus();
      for (const email of ['b@example.com', 'c@example.com']) {
        await page.keyboard.press('Enter');
        await shows(email);
      }
      expect(await next.getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Enter');
      expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
      await opened.getByRole('button', { name: 'Previous submission' }).click();
      await shows('b@example.com');
      // Escape closes the question, not the submission below it.
      await opened.getByRole('button', { name: 'Delete' }).press('Enter');
      const question = page.getByRole('dialog', { name: 'Delete this submission?' });
      await question.getByRole('button', { name: 'Cancel' }).press('Escape');
      await question.waitFor({ state: 'detached' });
      await opened.getByRole('button', { name: 'Delete' }).and(page.locator(':focus')).waitFor();
      await shows('b@example.com');
      await opened.getByRole('button', { name: 'Close' }).click();
      await page.waitForURL(`**/forms/${form.id}/submissions`);
    });

    it('stay open when another one has been deleted', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const first = await submit(visitor, form.id, { email: 'a@example.com' });
      const second = await submit(visitor, form.id, { email: 'b@example.com' });
      const page = await open(`/forms/${form.id}/submissions/${second}`);
      const opened = page.getByRole('dialog', { name: 'Submission' });
      let respond = (): void => undefined;
      const isMeanwhile = new Promise<void>((resolve) => (respond = resolve));
      await page.route(`**/api/submissions/${second}`, async (route) => {
        if (route.request().method() === 'DELETE') await isMeanwhile;
        await route.continue();
      });
      const remove = opened.getByRole('button', { name: 'Delete' });
      await remove.click();
      const question = page.getByRole('dialog', { name: 'Delete this submission?' });
      await question.getByRole('button', { name: 'Delete' }).click();
      await question.waitFor({ state: 'detached' });
      await opened.getByRole('button', { name: 'Next submission' }).click();
      await opened.getByText('a@example.com', { exact: true }).waitFor();
      expect(await remove.getAttribute('data-loading')).toBeNull();
      respond();
      await page.getByText('Submission deleted').waitFor();
      await rowsOf(page).filter({ hasText: 'b@example.com' }).waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe(`/forms/${form.id}/submissions/${first}`);
      await opened.getByText('a@example.com', { exact: true }).waitFor();
    });

    it('are sorted by a field on a narrow screen too, where no heading gets the focus', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      for (const name of ['b', 'c', 'a']) await submit(visitor, form.id, { email: `${name}@example.com` });
      const page = await open(`/forms/${form.id}/submissions`, {
        context: { viewport: { width: 900, height: 800 } },
      });
      const until = (expected: string) =>
        poll(
          async () =>
            (await rowsOf(page).getByText('@example.com').allTextContents())
              .map(([first]) => first)
              .join('') === expected,
          { what: expected },
        );
      await until('acb');
      expect(await page.getByRole('button', { name: 'Sort by Email' }).count()).toBe(0);
      const sort = page.getByLabel('Sort by', { exact: true });
      await sort.selectOption('email ascending');
      await until('abc');
      await page.getByText('Loaded submissions are sorted by Email.').waitFor();
      await sort.selectOption('Oldest first');
      await until('bca');
      expect(await violations(page)).toEqual([]);
    });

    it('are sorted, filtered by a field, selected, exported and deleted, with their deliveries beside', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const endpoint = await startEndpoint();
      await client.post(`/api/forms/${form.id}/webhooks`, {
        body: { url: endpoint.url, events: ['form.submission.new'] },
        expect: 201,
      });
      for (const [email, size] of [
        ['b@example.com', 's'],
        ['c@example.com', 'l'],
        ['a@example.com', 'l'],
      ])
        await submit(visitor, form.id, { email, size });
      await endpoint.waitFor(3, 'all deliveries');
      const page = await open(`/forms/${form.id}/submissions`);
      await page.getByText('3 submissions', { exact: true }).waitFor();
      const emails = () =>
        rowsOf(page)
          .getByRole('cell')
          .filter({ hasText: '@example.com' })
          .evaluateAll((cells) => cells.map((cell) => cell.textContent?.[0]).join(''));
      const until = (expected: string) => poll(async () => (await emails()) === expected, { what: expected });
      await until('acb');
      await page.getByLabel('Sort by', { exact: true }).selectOption('Oldest first');
      await until('bca');
      await page.getByRole('button', { name: 'Sort by Email' }).first().click();
      await until('abc');
      await page.getByRole('button', { name: 'Sort by Email' }).first().click();
      await until('cba');
      await page.getByRole('button', { name: 'Filter by field' }).click();
      await page.getByLabel('Field', { exact: true }).selectOption('Size');
      await page.getByLabel('Is', { exact: true }).selectOption('Large');
      await page.getByRole('button', { name: 'Apply filter' }).click();
      await until('ca');
      await page.getByText('2 matching').waitFor();
      expect(new URL(page.url()).searchParams.get('where')).toContain('size:l');
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Select all loaded').check();
      const csv = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Export selected as CSV' }).click();
      expect((await textOf(csv)).trim().split('\n')).toHaveLength(3);
      await page.getByRole('button', { name: 'Delete selected' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete selected' }).click();
      await page.getByText('2 submissions deleted.').waitFor();
      await page.getByRole('button', { name: 'Remove filter Size: Large' }).click();
      await until('b');
      await rowsOf(page).getByRole('link').first().click();
      const drawer = page.getByRole('dialog', { name: 'Submission' });
      const deliveries = drawer.getByRole('region', { name: 'Deliveries' });
      await deliveries.getByText('Delivered').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      await until('b');
    });

    it('stay selected if deleting them together fails', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      const kept = await submit(visitor, form.id, { email: 'kept@example.com' });
      await submit(visitor, form.id, { email: 'deleted@example.com' });
      const page = await open(`/forms/${form.id}/submissions`, { expected: /503|UNAVAILABLE/ });
      await page.getByLabel('Select all loaded').check();
      const problem = { code: 'UNAVAILABLE', message: 'The store is unavailable.', status: 503 };
      await page.route(`**/api/submissions/${kept}`, (route) =>
        route.fulfill({ status: 503, json: problem }),
      );
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete selected' });
      await page.getByRole('button', { name: 'Delete selected' }).click();
      await confirm.click();
      await page.getByText('The store is unavailable.').waitFor();
      await page.getByText('1 selected').waitFor();
      await page.unroute(`**/api/submissions/${kept}`);
      await page.getByRole('button', { name: 'Delete selected' }).click();
      await confirm.click();
      await page.getByText('No submissions yet.').waitFor();
    });

    it('have sets of columns that the browser keeps', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      await submit(visitor, form.id, { email: 'ada@example.com', size: 'l' });
      const page = await open(`/forms/${form.id}/submissions?columns=size`);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByLabel('Name of the set').fill('Sizes');
      await page.getByRole('button', { name: 'Save set' }).click();
      await page.goto(`/forms/${form.id}/submissions`);
      await page.getByRole('columnheader', { name: 'Email' }).first().waitFor();
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('button', { name: 'Sizes', exact: true }).click();
      await page.waitForURL(/columns=size/);
      await page.getByRole('columnheader', { name: 'Email' }).first().waitFor({ state: 'detached' });
    });

    it('of a form with many fields fit a phone, and a reviewer can read but not delete them', async () => {
      const { client, visitor, open, newUser } = fixture();
      const fields = Array.from({ length: 12 }, (_, n) => ({
        name: `field_${n}`,
        type: 'text',
        label: `A question that takes more than one line on a phone, number ${n}`,
      }));
      const form = await createForm(client, { fields });
      const data = Object.fromEntries(fields.map(({ name }) => [name, 'w'.repeat(200)]));
      const submissionId = await submit(visitor, form.id, data);
      const columns = fields.map(({ name }) => name).join();
      const page = await open(`/forms/${form.id}/submissions?columns=${columns}`, {
        as: await newUser('reviewer'),
        context: { viewport: { width: 320, height: 640 } },
      });
      await page.getByRole('cell').nth(12).waitFor();
      expect(await overflow(page)).toBe(0);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('group', { name: 'Visible fields' }).waitFor();
      expect(await overflow(page)).toBe(0);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await overflow(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.goto(`/forms/${form.id}/submissions/${submissionId}`);
      await page.getByRole('region', { name: 'Values' }).waitFor();
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    });
  });

  // More than two pages. `npm run bench:dashboard` measures 10 000.
  describe('many submissions and their deliveries', () => {
    const COUNT = 60;
    let formId: string;
    let webhookId: string;

    beforeAll(async () => {
      const { client, visitor, startEndpoint } = fixture();
      const form = await createForm(client, { fields: FIELDS });
      formId = form.id;
      const endpoint = await startEndpoint();
      const { url } = endpoint;
      const { body } = await client.post<{ id: string }>(`/api/forms/${formId}/webhooks`, {
        body: { url, events: ['form.submission.new'] },
        expect: 201,
      });
      webhookId = body.data.id;
      let sent = 0;
      const send = async () => {
        while (sent < COUNT) await submit(visitor, formId, { email: `visitor${sent++}@example.com` });
      };
      await Promise.all(Array.from({ length: 8 }, send));
      await endpoint.waitFor(COUNT, 'all deliveries');
    });

    it.each([
      ['submissions', () => `/forms/${formId}/submissions`, 'Submissions'],
      ['deliveries', () => `/forms/${formId}/webhooks/${webhookId}`, 'Deliveries'],
    ])('load one page at a time: %s', async (what, path, name) => {
      const page = await fixture().open('/settings');
      const urls = recordRequests(page, new RegExp(`/${what}\\?`));
      await page.goto(path());
      const rows = page.getByRole('table', { name }).getByRole('row');
      // The first row contains the headings.
      await rows.nth(25).waitFor();
      expect(await rows.count()).toBe(26);
      await page.getByRole('button', { name: 'Show more' }).click();
      await rows.nth(50).waitFor();
      expect(await rows.count()).toBe(51);
      // The list refreshes only its first page.
      await poll(() => urls.filter((url) => !url.searchParams.has('cursor')).length > 1, {
        what: 'another look',
      });
      expect(urls.filter((url) => url.searchParams.has('cursor'))).toHaveLength(1);
      expect(new Set(urls.map((url) => url.searchParams.get('limit')))).toEqual(new Set(['25']));
    });
  });
}
