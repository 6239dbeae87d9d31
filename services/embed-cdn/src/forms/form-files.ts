import {
  isId,
  LANGUAGES,
  matchLanguage,
  offeredLanguages,
  publicForm,
  type Language,
} from '@svcforms/contracts';
import { staticFile, type StaticFile } from '@svcforms/http';
import type { Clock } from '@svcforms/primitives';
import { isPublic, type FormRecord, type Seats } from '@svcforms/records';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createFormCache } from './form-cache.ts';
import { hostedPage, pageHeaders } from './hosted-page.ts';

export interface FormFilesDeps {
  /** Reads the stored form. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  seats: Pick<Seats, 'isOpen'>;
  now: Clock;
}

interface FormFiles {
  /** The public form with its own texts, or with those in the language, if the form has them. */
  json: (language?: Language) => Promise<StaticFile>;
  /** The page in the first of these languages that the form is shown in. */
  page: (tags: readonly string[]) => Promise<StaticFile>;
  /** How long browsers may reuse the files, in seconds. */
  maxAge: number;
  /** Added to the headers of every page. */
  pageHeaders: Readonly<Record<string, string>>;
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** A visitor waits for this, unlike for the scripts, so it favors speed over size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const MAX_AGE_SECONDS = 60;

/**
 * Returns a function that loads the public files of a form. It resolves with `null` if the form
 * doesn't exist.
 */
export function createFormFiles({
  findForm,
  seats,
  now,
}: FormFilesDeps): (formId: string) => Promise<FormFiles | null> {
  const read = createFormCache<FormFiles | null>(
    async (formId) => {
      const record = await findForm(formId);
      if (!isPublic(record)) return null;
      const isClosed = !(await seats.isOpen(record));
      const headers = pageHeaders(record.settings, record.fields);
      const offered = offeredLanguages(record.settings);
      const json = eachOnce((language: Language | undefined) =>
        compressedFile(
          'application/json; charset=utf-8',
          JSON.stringify(publicForm(record._id, record, language, isClosed)),
        ),
      );
      // Browsers keep the old policy when a 304 carries a new one, so the policy is part of the
      // page's version.
      const page = eachOnce((language: Language) =>
        compressedFile(
          'text/html; charset=utf-8',
          hostedPage(publicForm(record._id, record, language, isClosed), language),
          headers,
        ),
      );
      return {
        json: (language) => json(language && record.settings.translations?.[language] ? language : undefined),
        page: (tags) => page(matchLanguage(tags, offered ?? LANGUAGES) ?? offered?.[0] ?? 'en'),
        maxAge: isClosed ? MAX_AGE_SECONDS : maxAgeAt(record.settings.closing?.closesAt, now()),
        pageHeaders: headers,
      };
    },
    { now },
  );
  // Invalid ids take no space in the cache.
  return async (formId) => (isId('frm', formId) ? read(formId) : null);
}

/** Nobody should see the form after its closing time. `now`: milliseconds since the epoch. */
function maxAgeAt(closesAt: string | undefined, now: number): number {
  if (closesAt === undefined) return MAX_AGE_SECONDS;
  return Math.max(0, Math.min(MAX_AGE_SECONDS, Math.floor((Date.parse(closesAt) - now) / 1000)));
}

/** Remembers what `make` returned for each language. */
function eachOnce<K>(make: (key: K) => Promise<StaticFile>): (key: K) => Promise<StaticFile> {
  const made = new Map<K, Promise<StaticFile>>();
  return (key) => {
    const file = made.get(key) ?? make(key);
    made.set(key, file);
    return file;
  };
}

async function compressedFile(
  type: string,
  text: string,
  versionedWith: Readonly<Record<string, string>> = {},
): Promise<StaticFile> {
  const [br, gz] = await Promise.all([compressors.br(text, BROTLI), compressors.gzip(text)]);
  const file = staticFile(type, text, { br, gzip: gz });
  const extra = Object.values(versionedWith).join('\n');
  return extra === '' ? file : { ...file, hash: staticFile(type, `${text}\n${extra}`).hash };
}
