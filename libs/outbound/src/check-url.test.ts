import { checkUrl } from './check-url.ts';
import { type Policy } from './index.ts';

const CLOSED: Policy = { allowedTargets: [], allowHttp: false };
const WITH_HTTP: Policy = { allowedTargets: [], allowHttp: true };
const OPEN: Policy = { allowedTargets: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'], allowHttp: true };

/** `ok`, `if allowed: CODE` when it depends on the addresses, or the code of the refusal. */
function verdictOf(url: string, policy: Policy = CLOSED): string {
  const checked = checkUrl(url, policy);
  if (!checked.ok) return checked.refusal.code;
  const condition = checked.target.refusalUnlessAllowed;
  return condition ? `if allowed: ${condition.code}` : 'ok';
}

describe('checkUrl', () => {
  it.each([
    'https://example.com',
    'https://example.com/hooks?a=1&b=%20#part',
    'https://example.com:443/',
    'https://example.com:1024/',
    'https://example.com:8443/',
    'https://example.com:65535/',
    'https://8.8.8.8:3000/',
    'HTTPS://EXAMPLE.COM/',
    'https://example.com./',
    'https://münchen.example/größe',
    'https://例え.テスト/',
    'https://xn--mnchen-3ya.example/',
    'https://my_host.example/',
    'https://internal.example.com/',
    'https://localhost.example.com/',
    'https://my.locale/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://[::ffff:8.8.8.8]:8443/',
    'https://@example.com/',
    '  https://example.com/  ',
  ])('accepts %s', (url) => {
    expect(verdictOf(url)).toBe('ok');
  });

  it.each([
    ['INVALID_URL', ''],
    ['INVALID_URL', 'example.com/hooks'],
    ['INVALID_URL', '/hooks'],
    ['INVALID_URL', 'https://'],
    ['INVALID_URL', 'https://exa mple.com/'],
    ['INVALID_URL', 'https://256.1.1.1/'],
    ['INVALID_URL', 'https://example.com:99999/'],
    ['INVALID_URL', 'https://[fe80::1%25eth0]/'],
    ['INVALID_URL', 'https://127.0.0.1../'],
    ['INVALID_URL', 'https://localhost../'],
    ['INVALID_URL', 'https://hooks..example.com/'],
    ['INVALID_URL', 'https://.example.com/'],
    ['INVALID_URL', 'https://./'],
    ['INVALID_URL', 'https://。/'],
    ['SCHEME_NOT_ALLOWED', 'http://example.com/'],
    ['SCHEME_NOT_ALLOWED', 'ftp://example.com/'],
    ['SCHEME_NOT_ALLOWED', 'file:///etc/passwd'],
    ['SCHEME_NOT_ALLOWED', 'javascript:alert(1)'],
    ['SCHEME_NOT_ALLOWED', 'wss://example.com/'],
    ['PORT_NOT_ALLOWED', 'https://example.com:80/'],
    ['PORT_NOT_ALLOWED', 'https://example.com:22/'],
    ['PORT_NOT_ALLOWED', 'https://example.com:0/'],
    ['PORT_NOT_ALLOWED', 'https://example.com:1023/'],
    ['ADDRESS_NOT_PUBLIC', 'https://10.0.0.1:8080/'],
    ['NAME_NOT_PUBLIC', 'https://localhost:8080/'],
    ['PORT_NOT_ALLOWED', 'https://example.com:0/'],
    ['PORT_NOT_ALLOWED', 'https://8.8.8.8:25/'],
    ['CREDENTIALS_IN_URL', 'https://user@example.com/'],
    ['CREDENTIALS_IN_URL', 'https://user:password@example.com/'],
    ['CREDENTIALS_IN_URL', 'https://:password@example.com/'],
    ['CREDENTIALS_IN_URL', 'https://example.com@127.0.0.1/'],
    ['NAME_NOT_PUBLIC', 'https://localhost/'],
    ['NAME_NOT_PUBLIC', 'https://LOCALHOST./'],
    ['NAME_NOT_PUBLIC', 'https://ⓛocalhost/'],
    ['NAME_NOT_PUBLIC', 'https://loc%61lhost%2e/'],
    ['NAME_NOT_PUBLIC', 'https://app.localhost/'],
    ['NAME_NOT_PUBLIC', 'https://app.localhost./'],
    ['NAME_NOT_PUBLIC', 'https://printer.local/'],
    ['NAME_NOT_PUBLIC', 'https://printer.local./'],
    ['NAME_NOT_PUBLIC', 'https://metadata.google.internal/'],
    ['NAME_NOT_PUBLIC', 'https://metadata.google.internal./'],
    ['NAME_NOT_PUBLIC', 'https://intranet/'],
    ['NAME_NOT_PUBLIC', 'https://intranet./'],
    ['NAME_NOT_PUBLIC', 'https://com/'],
    ['NAME_NOT_PUBLIC', 'https://中国/'],
    ['ADDRESS_NOT_PUBLIC', 'https://10.0.0.1/'],
    ['ADDRESS_NOT_PUBLIC', 'https://169.254.169.254/latest/meta-data'],
    ['ADDRESS_NOT_PUBLIC', 'https://[::1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[::127.0.0.1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[::ffff:127.0.0.1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[::ffff:7f00:1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[::7f00:1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[64:ff9b::a00:1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[64:ff9b::7f00:1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[fec0::1]/'],
    ['ADDRESS_NOT_PUBLIC', 'https://[fd00::1]/'],
  ])('returns %s for %s', (code, url) => {
    expect(verdictOf(url)).toBe(code);
  });

  it.each(['127.0.0.1.', '127.1', '127.0.1', '0x7f000001', '0x7f.1', '2130706433', '0177.0.0.1', '0177.1'])(
    'sees through the spelling %s of 127.0.0.1',
    (host) => {
      expect(verdictOf(`https://${host}/`)).toBe('ADDRESS_NOT_PUBLIC');
    },
  );

  it('recognizes full-width digits and dots', () => {
    expect(verdictOf('https://１２７。０。０。１/')).toBe('ADDRESS_NOT_PUBLIC');
  });

  it('limits the length to 2048 characters, before and after escaping', () => {
    const start = 'https://example.com/';
    const ofLength = (length: number) => start + 'a'.repeat(length - start.length);

    expect(verdictOf(ofLength(2048))).toBe('ok');
    expect(verdictOf(ofLength(2049))).toBe('URL_TOO_LONG');
    expect(verdictOf(start + 'é'.repeat(338))).toBe('ok');
    expect(verdictOf(start + 'é'.repeat(339))).toBe('URL_TOO_LONG');
    expect(verdictOf(`${start}${'\n'.repeat(2048)}`)).toBe('URL_TOO_LONG');
  });

  it.each([
    ['SCHEME_NOT_ALLOWED', 'http://user@localhost:22/'],
    ['PORT_NOT_ALLOWED', 'https://user@localhost:22/'],
    ['CREDENTIALS_IN_URL', `https://user@localhost/${'a'.repeat(2048)}`],
    ['URL_TOO_LONG', `https://localhost/${'a'.repeat(2048)}`],
  ])('returns %s first if several rules are broken', (code, url) => {
    expect(verdictOf(url)).toBe(code);
  });

  describe('with allowHttp', () => {
    it.each([
      ['ok', 'http://example.com/'],
      ['ok', 'http://example.com:8443/'],
      ['ok', 'https://example.com/'],
      ['ok', 'http://example.com:8080/'],
      ['ok', 'http://example.com:443/'],
      ['PORT_NOT_ALLOWED', 'http://example.com:81/'],
      ['PORT_NOT_ALLOWED', 'https://example.com:80/'],
      ['SCHEME_NOT_ALLOWED', 'ftp://example.com/'],
      ['ADDRESS_NOT_PUBLIC', 'http://127.0.0.1/'],
      ['NAME_NOT_PUBLIC', 'http://localhost/'],
    ])('returns %s for %s', (expected, url) => {
      expect(verdictOf(url, WITH_HTTP)).toBe(expected);
    });
  });

  describe('with allowed targets', () => {
    it.each([
      ['ok', 'http://127.0.0.1:3000/'],
      ['ok', 'https://10.9.8.7:1/'],
      ['ok', 'https://[fd00::1]:5000/'],
      ['ok', 'https://[::ffff:10.0.0.1]:5000/'],
      ['ok', 'https://example.com/'],
      ['ADDRESS_NOT_PUBLIC', 'https://192.168.0.1/'],
      ['ADDRESS_NOT_PUBLIC', 'https://[::1]/'],
      ['ADDRESS_NOT_PUBLIC', 'https://192.168.0.1:3000/'],
      ['PORT_NOT_ALLOWED', 'https://192.168.0.1:25/'],
      ['ok', 'https://8.8.8.8:3000/'],
      ['CREDENTIALS_IN_URL', 'https://user@127.0.0.1:3000/'],
      ['NAME_NOT_PUBLIC', 'https://printer.local/'],
      ['NAME_NOT_PUBLIC', 'https://app.localhost/'],
      ['NAME_NOT_PUBLIC', 'https://metadata.google.internal/'],
      ['if allowed: NAME_NOT_PUBLIC', 'http://localhost/'],
      ['if allowed: NAME_NOT_PUBLIC', 'http://localhost./'],
      ['if allowed: NAME_NOT_PUBLIC', 'https://listener:8443/'],
      ['if allowed: NAME_NOT_PUBLIC', 'http://localhost:3000/'],
      ['ok', 'https://hooks.example.com:3000/'],
      ['if allowed: PORT_NOT_ALLOWED', 'http://localhost:25/'],
      ['if allowed: PORT_NOT_ALLOWED', 'https://hooks.example.com:25/'],
    ])('returns %s for %s', (expected, url) => {
      expect(verdictOf(url, OPEN)).toBe(expected);
    });
  });

  it.each([
    ['nonsense', 'such as https://example.com/hooks'],
    ['https://*.example.com', 'such as https://example.com/hooks'],
    ['https://{host}.example.com', 'such as https://example.com/hooks'],
    ['https://a.example,b.example', 'such as https://example.com/hooks'],
    ['http://example.com', 'must start with https://'],
    ['https://a:b@example.com', 'must not contain a user name or password'],
    [`https://example.com/${'a'.repeat(2048)}`, 'at most 2048 characters'],
    ['https://localhost', '"localhost" is a private host name: use a public one'],
    ['https://10.0.0.1', '10.0.0.1 does not resolve to a public address: use a host'],
  ])('says what to use instead of %s', (url, message) => {
    expect(checkUrl(url, CLOSED)).toMatchObject({
      refusal: { message: expect.stringContaining(message) as string },
    });
  });

  it('names the ports that are allowed', () => {
    expect(checkUrl('https://example.com:25', CLOSED)).toMatchObject({
      refusal: { message: 'port 25 is not allowed: use 443 or a port of at least 1024' },
    });
  });

  it("doesn't include passwords in messages", () => {
    expect(JSON.stringify(checkUrl('https://me:hunter2@example.com/', CLOSED))).not.toContain('hunter2');
  });
});

describe('the own origin', () => {
  const checked = (url: string, ownOrigin: string) => {
    const policy = { allowedTargets: ['127.0.0.0/8', '::1/128'], allowHttp: true, ownOrigin };
    const judged = checkUrl(url, policy);
    return judged.ok ? 'ok' : judged.refusal.code;
  };

  it.each([
    ['https://forms.example', 'https://forms.example/api/forms/frm_1/submissions'],
    ['https://forms.example', 'HTTPS://FORMS.Example:443/'],
    ['https://forms.example', 'https://forms.example./'],
    ['https://forms.example:443', 'https://forms.example/'],
    ['https://Forms.Example.', 'https://forms.example/'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['https://xn--bcher-kva.example', 'https://B\u00dcCHER.example/'],
    ['http://localhost:8080', 'http://localhost:8080/'],
    ['http://127.0.0.1:8080', 'http://127.1:8080/'],
    ['http://127.0.0.1:8080', 'http://2130706433:8080/'],
    ['http://127.0.0.1:8080', 'http://[::ffff:127.0.0.1]:8080/'],
    ['https://93.184.216.34', 'https://[64:ff9b::5db8:d822]/'],
    ['http://[::1]:8080', 'http://[0:0::1]:8080/'],
  ])('%s is recognized in %s', (ownOrigin, url) => {
    expect(checked(url, ownOrigin)).toBe('OWN_ORIGIN');
  });

  it.each([
    ['https://forms.example', 'https://forms.example:8443/'],
    ['https://forms.example', 'https://hooks.forms.example/'],
    ['https://forms.example', 'https://forms.example.org/'],
    ['http://localhost:8080', 'http://localhost:8081/'],
    ['http://localhost:8080', 'http://127.0.0.1:8080/'],
    ['https://forms.example', 'http://forms.example/'],
  ])('%s is not %s', (ownOrigin, url) => {
    expect(checked(url, ownOrigin)).toBe('ok');
  });

  it('is optional', () => {
    expect(checkUrl('https://forms.example/', CLOSED).ok).toBe(true);
  });
});
