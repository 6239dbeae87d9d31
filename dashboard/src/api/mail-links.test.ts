import { ApiError } from './api-error.ts';
import { keepMailLink, withMailLink } from './mail-links.ts';

const TOKEN = 'v1.key.iv.text.tag';
const PROOF = { mailLink: TOKEN };

beforeEach(() => {
  const items = new Map<string, string>();
  Object.assign(globalThis, {
    sessionStorage: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    },
  });
});

/** The proof that a decision on the task is sent with. */
async function sentWith(taskId: string, failure?: Error): Promise<object> {
  let sent: object = {};
  await withMailLink(taskId, async (proof) => {
    sent = proof;
    if (failure) throw failure;
  }).catch(() => {});
  return sent;
}

it('gives the token of the link to one decision on its task', async () => {
  expect(keepMailLink('tsk_1', `link=${TOKEN}`)).toBe(true);
  expect(keepMailLink('tsk_2', 'history')).toBe(false);
  expect(await sentWith('tsk_2')).toEqual({});
  expect(await sentWith('tsk_1')).toEqual(PROOF);
  expect(await sentWith('tsk_1')).toEqual({});
});

it.each([
  ['no response', new ApiError({})],
  ['an ended session', new ApiError({ status: 401, code: 'UNAUTHORIZED' })],
  ['another refused value', new ApiError({ status: 422, errors: [{ pointer: '/comment', message: 'x' }] })],
])('keeps the token after %s', async (_, failure) => {
  keepMailLink('tsk_1', `link=${TOKEN}`);
  expect(await sentWith('tsk_1', failure)).toEqual(PROOF);
  expect(await sentWith('tsk_1')).toEqual(PROOF);
});

it('sends a decision again without a token that the server refuses', async () => {
  const refused = new ApiError({ status: 422, errors: [{ pointer: '/mailLink', message: 'has expired' }] });
  keepMailLink('tsk_1', `link=${TOKEN}`);
  const sent: object[] = [];
  await withMailLink('tsk_1', async (proof) => {
    sent.push(proof);
    if (proof.mailLink !== undefined) throw refused;
  });
  expect(sent).toEqual([PROOF, {}]);
  expect(await sentWith('tsk_1')).toEqual({});
});

it('keeps the token of a link that was opened while the decision failed', async () => {
  keepMailLink('tsk_1', `link=${TOKEN}`);
  const failed = new ApiError({});
  const sent = withMailLink('tsk_1', async () => {
    keepMailLink('tsk_1', 'link=newer');
    throw failed;
  });
  await expect(sent).rejects.toBe(failed);
  expect(await sentWith('tsk_1')).toEqual({ mailLink: 'newer' });
});

it('sends a token only once, even if the page is left before the response', async () => {
  keepMailLink('tsk_1', `link=${TOKEN}`);
  void withMailLink('tsk_1', () => new Promise(() => {}));
  expect(await sentWith('tsk_1')).toEqual({});
});
