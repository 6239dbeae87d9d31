import { isId, publicForm } from '@svcforms/contracts';
import { staticFile, type StaticFile } from '@svcforms/http-kit';
import type { FormRecord } from '@svcforms/records';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { createFormCache } from './form-cache.ts';
import { hostedPage } from './hosted-page.ts';

export interface FormFilesDeps {
  /** Reads what is stored now. */
  findForm: (formId: string) => Promise<FormRecord | null>;
  now: () => number;
}

interface FormFiles {
  json: StaticFile;
  page: StaticFile;
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** Made while somebody waits, unlike the scripts: good rather than best. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Gives the public files of a form, `null` for one that isn't there. */
export function createFormFiles({
  findForm,
  now,
}: FormFilesDeps): (formId: string) => Promise<FormFiles | null> {
  const read = createFormCache(
    async (formId) => {
      const record = await findForm(formId);
      if (!record || record.deletedAt) return null;
      const form = publicForm(record._id, record);
      return {
        json: await compressedFile('application/json; charset=utf-8', JSON.stringify(form)),
        page: await compressedFile('text/html; charset=utf-8', hostedPage(form)),
      };
    },
    { now },
  );
  // What can't be an id takes no room in the cache.
  return async (formId) => (isId('frm', formId) ? read(formId) : null);
}

async function compressedFile(type: string, text: string): Promise<StaticFile> {
  const [br, gz] = await Promise.all([compressors.br(text, BROTLI), compressors.gzip(text)]);
  return staticFile(type, text, { br, gzip: gz });
}
