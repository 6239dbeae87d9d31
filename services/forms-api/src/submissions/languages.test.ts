import { LANGUAGES, type FormOut, type Problem, type SubmissionOut } from '@svcforms/contracts';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const submit = async (form: FormOut, body: object, headers: Record<string, string> = {}) => {
  const response = await api.visitor.post<{ submissionId: string }>(`/api/forms/${form.id}/submissions`, {
    body,
    headers,
  });
  return { ...response, problem: response.body as unknown as Problem };
};
const stored = async (form: FormOut, body: object, headers?: Record<string, string>) => {
  const { body: created } = await submit(form, body, headers);
  const path = `/api/submissions/${created.data.submissionId}`;
  return (await api.client.get<SubmissionOut>(path, { expect: 200 })).body.data;
};
const INVALID = { data: { email: 'ada' } };

describe('a refused submission', () => {
  it('is worded in the language of the submission, else of the request, with the same code and pointer', async () => {
    const form = await api.createForm();
    const english = await submit(form, INVALID);
    expect(english.headers.get('content-language')).toBeNull();
    for (const [body, headers, language, message] of [
      [
        { metadata: { language: 'de-AT' } },
        { 'accept-language': 'fr' },
        'de',
        'Bitte geben Sie eine gültige E-Mail-Adresse ein.',
      ],
      [{}, { 'accept-language': 'sv, fr;q=0.5' }, 'fr', 'Veuillez saisir une adresse e-mail valide.'],
      [
        { metadata: { language: 'x_' } },
        { 'accept-language': 'fr' },
        'fr',
        'Veuillez saisir une adresse e-mail valide.',
      ],
    ] as const) {
      const { status, headers: received, problem } = await submit(form, { ...INVALID, ...body }, headers);
      expect(status).toBe(422);
      expect(received.get('content-language')).toBe(language);
      expect(problem).toMatchObject({
        code: 'VALIDATION_FAILED',
        title: english.problem.title,
        errors: [{ pointer: '/data/email', message }],
      });
      expect(problem.message).not.toBe(english.problem.message);
    }
  });

  it.each(LANGUAGES)(
    'asks visitors who read %s to check their answers or to reload the page',
    async (language) => {
      const form = await api.createForm();
      const newer = { ...form, fields: [...form.fields, { name: 'phone', type: 'tel', required: true }] };
      await api.client.put(`/api/forms/${form.id}`, { body: newer, expect: 200 });
      const body = { data: { email: 'ada@example.com' }, metadata: { language } };
      const { headers, problem } = await submit(form, body, { 'accept-language': 'en' });
      expect([headers.get('content-language'), problem.code]).toEqual([language, 'VALIDATION_FAILED']);
      expect(problem.errors?.map(({ pointer }) => pointer)).toContain('/data/phone');
      // Two sentences, in the script of the language.
      expect(problem.message.match(/[.。]/g)).toHaveLength(2);
      expect(problem.message).not.toContain('/data');
      if (['ja', 'zh-CN', 'ar'].includes(language)) expect(problem.message).not.toMatch(/[a-z]/i);
      else
        expect(problem.message).toMatch(/reload|neu|recharg|recar|ricaric|cargar|opnieuw|ponownie|yenileyin/);
    },
  );

  it('is worded in English without a language, or with one that we do not speak', async () => {
    const form = await api.createForm();
    for (const tag of [undefined, '*', 'zh-TW', 'en']) {
      const headers: Record<string, string> = tag === undefined ? {} : { 'accept-language': tag };
      const { problem } = await submit(form, INVALID, headers);
      expect(problem.errors).toEqual([
        { pointer: '/data/email', message: 'must be an email address, such as ada@example.com' },
      ]);
      expect(problem.message).toBe('/data/email: must be an email address, such as ada@example.com');
    }
  });

  it('is worded in the language of the form’s texts if the client names none that we speak', async () => {
    const form = await api.createForm({ settings: { language: 'ar' } });
    for (const tag of ['*', 'sv']) {
      const { headers: received, problem } = await submit(form, INVALID, { 'accept-language': tag });
      expect(received.get('content-language')).toBe('ar');
      expect(`${problem.message} ${problem.errors?.[0]?.message}`).not.toMatch(/[a-z]{2}/i);
    }
    const { problem } = await submit(form, INVALID, { 'accept-language': 'en' });
    expect(problem.errors?.[0]?.message).toBe('must be an email address, such as ada@example.com');
    const closed = await api.createForm({ settings: { language: 'ar', closing: { isClosed: true } } });
    expect((await submit(closed, INVALID)).problem.message).toBe('هذا النموذج مغلق.');
  });

  it('says in the language that the site or the form is wrong', async () => {
    const form = await api.createForm({ settings: { allowedOrigins: [] } });
    const headers = { 'accept-language': 'nl', origin: 'https://site.example' };
    expect((await submit(form, INVALID, headers)).problem).toMatchObject({
      code: 'ORIGIN_NOT_ALLOWED',
      message: 'Dit formulier kan niet vanaf deze pagina worden verzonden.',
    });
    const missing = { ...form, id: 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y' };
    expect((await submit(missing, INVALID, headers)).problem.message).toBe('Dit formulier bestaat niet');
  });
});

describe('an accepted submission', () => {
  it('keeps the language that was shown, and values without language', async () => {
    const form = await api.createForm({
      fields: [{ name: 'size', type: 'select', options: [{ value: 's', label: 'Small' }] }],
      settings: { translations: { de: { fields: { size: { options: { s: 'Klein' } } } } } },
    });
    const body = { data: { size: 's' }, metadata: { language: 'de-at' } };
    expect(await stored(form, body, { 'accept-language': 'fr' })).toMatchObject({
      data: { size: 's' },
      metadata: { submittedVia: 'web', language: 'de-AT' },
    });
    expect((await stored(form, { data: {} }, { 'accept-language': 'fr' })).metadata).toEqual({
      submittedVia: 'web',
    });
  });

  it('keeps the text of a consent in the language that was shown', async () => {
    const form = await api.createForm({
      fields: [{ name: 'terms', type: 'consent', label: 'I agree', required: true }],
      settings: { translations: { de: { fields: { terms: { label: 'Ich stimme zu' } } } } },
    });
    const accepted = (text: string) => ({ data: { terms: { accepted: true, text } } });
    expect((await stored(form, accepted('Ich stimme zu'))).data).toEqual({
      terms: { accepted: true, text: 'Ich stimme zu' },
    });
    const german = { metadata: { language: 'de' } };
    expect((await stored(form, { data: { terms: true }, ...german })).data).toEqual({
      terms: { accepted: true, text: 'Ich stimme zu' },
    });
    const { status, problem } = await submit(form, { ...accepted('Ich stimme nicht zu'), ...german });
    expect(status).toBe(422);
    expect(problem.errors?.[0]?.message).toContain('geändert');
  });
});

describe('translations', () => {
  it('stay as they were saved through GET, PUT, export and import', async () => {
    const translations = { ar: { title: 'اتصل بنا', fields: { email: { label: 'البريد' } } }, de: {} };
    const form = await api.createForm({ settings: { language: 'en', translations } });
    expect(form.settings).toEqual({ language: 'en', translations });
    const put = await api.client.put<FormOut>(`/api/forms/${form.id}`, { body: form, expect: 200 });
    expect(put.body.data.settings).toEqual(form.settings);
    const { body: exported } = await api.client.get<object>(`/api/forms/${form.id}/export`, { expect: 200 });
    const imported = await api.client.post<FormOut>('/api/forms/import', {
      body: exported.data,
      expect: 201,
    });
    expect(imported.body.data.settings).toEqual(form.settings);
  });
});
