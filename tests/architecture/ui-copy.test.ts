import { root } from '@svcforms/test-kit';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uiTexts } from '../../tools/docs/ui-copy.ts';

/**
 * Labels and words that the vocabulary of the product has replaced. Keep each with its successor.
 */
const BANNED: Readonly<Record<string, RegExp>> = {
  Inline: /^(in the page|as a popup)$/i,
  'Exit intent': /^leaving$/i,
  'Element visible': /^seen$/i,
  Combination: /\btwo at once\b/i,
  'Page targeting': /\b(only|never) on these pages\b/i,
  'Frequency cap': /\bhow often\b|\btimes in all\b|\bshown again after declining\b/i,
  'Multiple choice': /\b(one|several) of several\b/i,
  Dropdown: /^list$/i,
  Checkbox: /^yes or no$/i,
  'Default value': /\bfilled in at first\b/i,
  'Min length': /\b(fewest|most) characters\b|^at (least|most)$/i,
  Required: /\bmust be answered\b/i,
  Impressions: /^shown$|^converted$|^declined$/i,
  'Endpoint URL': /\b(web )?address of\b|^address$|\blisteners?\b/i,
  Response: /\banswer(s|ed)?\b(?! until)/i,
  Failed: /\bgiven up\b|\bdid not get through\b/i,
  Retry: /\bsend (it |them )?again\b|\bsend them\b|\bonce more\b/i,
  Created: /^came$|\bhow it came\b|\bwas made\b/i,
  'Field mapping': /\bwhich key is which\b/i,
  'Request log': /\blast requests\b/i,
  Inbound: /^integrations$/i,
  Pending: /^awaiting$/i,
  'Requested by': /\basked\b|\basks for\b/i,
  Context: /\bwhat it is about\b|^about it$/i,
  Release: /\bgive(n)? back\b/i,
  resolved: /\bsettl(e|ed|ing)\b/i,
  Scopes: /\bmay do\b/i,
  Expires: /\bworks until\b|\bit is deleted\b/i,
  Profile: /^You$/,
  Team: /^users$/i,
  'Passes / Blocks': /\blets it\b|\bholds? (it|the form) back\b/i,
  'current, immediately': /\b(present (one|token|password)|dead at once|at once)\b/i,
  'must, should': /\bshall\b/i,
  Email: /\be-mails?\b/i,
  color: /\bcolour/i,
  cannot: /\bcan not\b/i,
  'someone, anyone': /\b(somebody|anybody)\b/i,
  'log in': /\bsign (in|out)\b/i,
  ID: /(?<![{-])\bid\b/,
  'plain English': /\b(anew|so long|what is seen|where it stands|goes? with it|meanwhile)\b/i,
};

const TEXTS = join(root, 'dashboard/src/texts');
const texts = uiTexts();

describe('the texts of the dashboard and of the form templates', () => {
  it('are all read', () => {
    expect(texts.length).toBeGreaterThan(600);
    expect(texts.filter(({ text }) => /undefined|NaN|\[object/.test(text))).toEqual([]);
  });

  it.each(readdirSync(TEXTS).filter((name) => !name.endsWith('.test.ts')))('include those of %s', (name) => {
    const source = readFileSync(join(TEXTS, name), 'utf8');
    const catalog = readFileSync(join(root, 'tools/docs/ui-copy.ts'), 'utf8');
    const exported = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, found]) => found);
    expect(exported.filter((found) => !catalog.match(new RegExp(`\\b${found}\\b`, 'g'))?.[1])).toEqual([]);
  });

  it.each(Object.entries(BANNED))('say "%s" and not %s', (_, banned) => {
    expect(texts.filter(({ text }) => banned.test(text))).toEqual([]);
  });
});
