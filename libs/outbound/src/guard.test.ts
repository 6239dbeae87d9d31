import { createGuard, type Policy } from './index.ts';

const CLOSED: Policy = { allowedTargets: [], allowHttp: false };
const OPEN: Policy = { allowedTargets: ['127.0.0.0/8', '::1/128'], allowHttp: true };

/** What a name server would say; a name that isn't here doesn't exist. */
const NAMES: Record<string, string[]> = {
  'public.example': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'private.example': ['10.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'translated.example': ['93.184.216.34', '64:ff9b::5db8:d822'],
  'translated-private.example': ['64:ff9b::a00:1'],
  'link-local.example': ['fe80::1%eth0'],
  'loopback.example': ['127.0.0.1'],
  'half.example': ['127.0.0.1', '93.184.216.34'],
  'empty.example': [],
  localhost: ['127.0.0.1', '::1'],
  listener: ['127.0.0.5'],
  elsewhere: ['10.0.0.1'],
  'public.example.': ['93.184.216.34'],
};

async function lookup(name: string): Promise<string[]> {
  const addresses = NAMES[name];
  if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  return addresses;
}

async function codeOf(url: string, policy: Policy): Promise<string | null> {
  return (await createGuard(policy, { lookup }).checkTarget(url))?.code ?? null;
}

describe('checkTarget', () => {
  it.each([
    ['https://public.example/', null],
    ['https://public.example./', null],
    ['https://8.8.8.8/', null],
    ['https://unknown.example/', null],
    ['https://empty.example/', null],
    ['https://private.example/', 'ADDRESS_NOT_PUBLIC'],
    ['https://mixed.example/', 'ADDRESS_NOT_PUBLIC'],
    ['https://mapped.example/', 'ADDRESS_NOT_PUBLIC'],
    ['https://translated.example/', null],
    ['https://translated-private.example/', 'ADDRESS_NOT_PUBLIC'],
    ['https://link-local.example/', 'ADDRESS_NOT_PUBLIC'],
    ['https://loopback.example/', 'ADDRESS_NOT_PUBLIC'],
    ['https://127.1/', 'ADDRESS_NOT_PUBLIC'],
    ['https://localhost/', 'NAME_NOT_PUBLIC'],
    ['https://public.example:9000/', null],
    ['https://public.example:1023/', 'PORT_NOT_ALLOWED'],
    ['https://private.example:9000/', 'ADDRESS_NOT_PUBLIC'],
    ['https://mixed.example:9000/', 'ADDRESS_NOT_PUBLIC'],
    ['http://public.example/', 'SCHEME_NOT_ALLOWED'],
  ])('checks %s under the default policy: %s', async (url, code) => {
    expect(await codeOf(url, CLOSED)).toBe(code);
  });

  it.each([
    ['http://localhost:3000/', null],
    ['http://listener:3000/', null],
    ['http://127.0.0.1:3000/', null],
    ['http://loopback.example:3000/', null],
    ['http://loopback.example/', null],
    ['http://half.example/', null],
    ['http://public.example/', null],
    ['http://unknown.example/', null],
    ['http://half.example:3000/', null],
    ['http://public.example:3000/', null],
    ['http://half.example:25/', 'PORT_NOT_ALLOWED'],
    ['http://public.example:25/', 'PORT_NOT_ALLOWED'],
    ['http://loopback.example:25/', null],
    ['http://elsewhere/', 'NAME_NOT_PUBLIC'],
    ['http://mixed.example/', 'ADDRESS_NOT_PUBLIC'],
    ['http://nowhere/', 'NAME_NOT_PUBLIC'],
    ['http://unknown.example:3000/', null],
    ['http://unknown.example:25/', 'PORT_NOT_ALLOWED'],
  ])('checks %s with allowed loopback addresses: %s', async (url, code) => {
    expect(await codeOf(url, OPEN)).toBe(code);
  });

  it("doesn't reveal the addresses of a refused name", async () => {
    const refusal = await createGuard(CLOSED, { lookup }).checkTarget('https://private.example/');

    expect(refusal?.message).toContain('private.example');
    expect(refusal?.message).not.toContain('10.0.0.1');
  });

  it('shares a running lookup among the checks of one account, and with no other account', async () => {
    const accounts: (string | undefined)[] = [];
    const guard = createGuard(CLOSED, {
      lookup: (name, context) => {
        accounts.push(context?.accountId);
        return lookup(name);
      },
    });
    const check = (accountId: string) => guard.checkTarget('https://public.example/', accountId);

    await Promise.all([check('acc_1'), check('acc_2'), check('acc_1')]);
    expect(accounts).toEqual(['acc_1', 'acc_2']);
    await check('acc_1');
    expect(accounts).toEqual(['acc_1', 'acc_2', 'acc_1']);
  });

  it('uses the system lookup by default', async () => {
    expect(await createGuard(OPEN).checkTarget('http://localhost:3000/')).toBeNull();
  });

  describe('with an unresponsive name server', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('accepts the name after the timeout', async () => {
      const guard = createGuard(CLOSED, { lookup: () => new Promise(() => {}) });
      const checked = guard.checkTarget('https://slow.example/');
      await jest.advanceTimersByTimeAsync(3000);

      expect(await checked).toBeNull();
    });

    it('cancels the lookup after the timeout of the last check that waits for it', async () => {
      const cancelled: boolean[] = [];
      const guard = createGuard(CLOSED, {
        lookup: (_name, context) => {
          const at = cancelled.push(false) - 1;
          context?.signal?.addEventListener('abort', () => (cancelled[at] = true));
          return new Promise(() => {});
        },
      });
      const check = () => guard.checkTarget('https://slow.example/');
      const first = check();
      await jest.advanceTimersByTimeAsync(1000);
      const second = check();
      await jest.advanceTimersByTimeAsync(2000);
      await first;
      expect(cancelled).toEqual([false]);
      await jest.advanceTimersByTimeAsync(1000);
      await second;
      expect(cancelled).toEqual([true]);
      void check();
      expect(cancelled).toEqual([true, false]);
      await jest.advanceTimersByTimeAsync(3000);
    });
  });

  it('rejects an invalid policy', () => {
    expect(() => createGuard({ allowedTargets: ['10.0.0.1'], allowHttp: false })).toThrow(
      'write 10.0.0.1/32',
    );
  });
});
