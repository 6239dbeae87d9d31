import { ar } from './catalogs/ar.ts';
import { de } from './catalogs/de.ts';
import { en } from './catalogs/en.ts';
import { es } from './catalogs/es.ts';
import { fr } from './catalogs/fr.ts';
import { it } from './catalogs/it.ts';
import { ja } from './catalogs/ja.ts';
import { nl } from './catalogs/nl.ts';
import { pl } from './catalogs/pl.ts';
import { ptBR } from './catalogs/pt-br.ts';
import { tr } from './catalogs/tr.ts';
import { zhCN } from './catalogs/zh-cn.ts';
import type { Language } from './languages.ts';
import type { Catalog } from './catalogs/words.ts';

/** The same and what the server says about values, in languages other than English. */
export const TRANSLATED: Readonly<Record<Exclude<Language, 'en'>, Catalog>> = {
  de,
  fr,
  es,
  it,
  'pt-BR': ptBR,
  nl,
  pl,
  tr,
  ja,
  'zh-CN': zhCN,
  ar,
};

/** What visitors read in every language. */
export const CATALOGS: Readonly<Record<Language, typeof en>> = {
  en,
  ...TRANSLATED,
};
