import { isId, publicForm } from '@svcforms/contracts';
import { staticFile, type StaticFile } from '@svcforms/http';
import type { FormRecord } from '@svcforms/records';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createFormCache } from './form-cache.ts';
import { hostedPage, pageHeaders } from './hosted-page.ts';

export interface FormFilesDeps {
  /** Reads the stored form. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  now: () => number;
}

interface FormFiles {
  json: StaticFile;
  page: StaticFile;
  /** Added to the headers of every page. */
  pageHeaders: Readonly<Record<string, string>>;
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** A visitor waits for this, unlike for the scripts, so it favors speed over size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * Returns a function that loads the public files of a form. It resolves with `null` if the form
 * doesn't exist.
 */
export function createFormFiles({
  findForm,
  now,
}: FormFilesDeps): (formId: string) => Promise<FormFiles | null> {
  const read = createFormCache(
    async (formId) => {
      const record = await findForm(formId);
      if (!record || record.deletedAt) return null;
      const form = publicForm(record._id, record);
      const headers = pageHeaders(record.settings);
      return {
        json: await compressedFile('application/json; charset=utf-8', JSON.stringify(form)),
        // Browsers keep the old policy when a 304 carries a new one, so the policy is part of the
        // page's version.
        page: await compressedFile('text/html; charset=utf-8', hostedPage(form), headers),
        pageHeaders: headers,
      };
    },
    { now },
  );
  // Invalid ids take no space in the cache.
  return async (formId) => (isId('frm', formId) ? read(formId) : null);
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
