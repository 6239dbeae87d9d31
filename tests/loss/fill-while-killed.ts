import type { SubmissionOut } from '@svcforms/contracts';
import { createForm, openInbound, type Client } from '@svcforms/test-kit';

/** The most submissions that the form accepts. */
const MAX_SUBMISSIONS = 100;
const POSTS = 300;
const SENDERS = 16;

export interface Filled {
  /** The ids in the responses to senders. */
  accepted: readonly string[];
  /** The ids of the submissions of the form. */
  stored: readonly string[];
  /** The status of a post once the form is full. */
  last: number;
}

/**
 * Fills a form that has a maximum, while the process that stores its submissions is killed. Posts
 * without a response are not repeated, so some may be stored without the sender's knowing it.
 * @param send posts to the inbound endpoint of the form, at the process that is killed
 */
export async function fillWhileKilled(
  client: Client,
  send: Client,
  kills: readonly (() => Promise<void>)[],
): Promise<Filled> {
  const form = await createForm(client, { settings: { closing: { maxSubmissions: MAX_SUBMISSIONS } } });
  const { token } = await openInbound(client, form.id);
  const accepted: string[] = [];
  const post = async (): Promise<number | undefined> => {
    const response = await send
      .post<{ submissionId: string }>(`/api/inbound/${form.id}`, {
        body: { email: 'ada@example.com' },
        headers: { authorization: `Bearer ${token}` },
      })
      .catch(() => null);
    if (response?.status === 202) accepted.push(response.body.data.submissionId);
    return response?.status;
  };
  for (const [round, kill] of kills.entries()) {
    // The last posts of a round are in progress when the process dies.
    const until = Math.ceil(((round + 1) * MAX_SUBMISSIONS) / (kills.length + 1));
    let died: Promise<void> | undefined;
    const sender = async () => {
      let status: number | undefined;
      while (!died && status !== 403) {
        status = await post();
        if (accepted.length >= until) died ??= kill();
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    await died;
  }
  await Promise.all(Array.from({ length: POSTS }, post));
  const last = (await post()) ?? 0;
  const stored: string[] = [];
  for (let cursor = ''; ;) {
    const path = `/api/forms/${form.id}/submissions?limit=100${cursor}`;
    const { body } = await client.get<SubmissionOut[]>(path, { expect: 200 });
    stored.push(...body.data.map(({ id }) => id));
    if (body.pagination.nextCursor === null) return { accepted, stored, last };
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
}

/** A seat is stored with its submission, so no kill can lose or double one. ADR 0078 */
export function limitScenarios(filled: () => Filled): void {
  it('fills a form exactly to its maximum', () => {
    const { accepted, stored, last } = filled();
    expect(new Set(stored).size).toBe(MAX_SUBMISSIONS);
    expect(stored).toHaveLength(MAX_SUBMISSIONS);
    expect(accepted.filter((id) => !stored.includes(id))).toEqual([]);
    expect(last).toBe(403);
  });
}
