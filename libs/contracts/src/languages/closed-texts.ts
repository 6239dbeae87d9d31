import type { Language } from './languages.ts';

/**
 * What a closed form says unless it has a text of its own. Apart from the catalogs, because
 * browsers load it only for closed forms.
 */
export const CLOSED_TEXTS: Readonly<Record<Language, string>> = {
  en: 'This form is closed.',
  de: 'Dieses Formular ist geschlossen.',
  fr: 'Ce formulaire est fermé.',
  es: 'Este formulario está cerrado.',
  it: 'Questo modulo è chiuso.',
  'pt-BR': 'Este formulário está encerrado.',
  nl: 'Dit formulier is gesloten.',
  pl: 'Ten formularz jest zamknięty.',
  tr: 'Bu form kapatıldı.',
  ja: 'このフォームの受付は終了しました。',
  'zh-CN': '此表单已关闭。',
  ar: 'هذا النموذج مغلق.',
};
