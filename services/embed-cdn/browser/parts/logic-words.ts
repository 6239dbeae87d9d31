import type { Language } from '@svcforms/contracts';

/** What screen readers say when fields appear and disappear, before their labels. */
export const LOGIC_WORDS: Readonly<Record<Language, readonly [shown: string, hidden: string]>> = {
  en: ['Now shown:', 'No longer shown:'],
  de: ['Jetzt sichtbar:', 'Nicht mehr sichtbar:'],
  fr: ['Affiché\u00a0:', 'Masqué\u00a0:'],
  es: ['Ahora visible:', 'Ya no visible:'],
  it: ['Ora visibile:', 'Non più visibile:'],
  'pt-BR': ['Agora visível:', 'Não está mais visível:'],
  nl: ['Nu zichtbaar:', 'Niet meer zichtbaar:'],
  pl: ['Teraz widoczne:', 'Już niewidoczne:'],
  tr: ['Şimdi görünür:', 'Artık görünmüyor:'],
  ja: ['表示されました：', '非表示になりました：'],
  'zh-CN': ['现已显示：', '不再显示：'],
  ar: ['ظهر الآن:', 'لم يعد ظاهرًا:'],
};
