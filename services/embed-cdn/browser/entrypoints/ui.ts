import type { Language, PublicForm } from '@svcforms/contracts';
import type { CloseKind, Ui, UiChunk } from '../core/ui.ts';
import { openModal as openNow } from '../ui/modal.ts';
import { renderInline as renderNow } from '../ui/inline.ts';
import { loadParts, type Parts } from '../ui/parts.ts';
import { chooseLanguage, ENGLISH, type Spoken } from '../ui/spoken.ts';

/** The file names of the chunks, defined by the build. */
declare const CHOICES_FILE: string;
declare const CONTENT_FILE: string;
declare const PICTURES_FILE: string;
declare const PLACEMENTS_FILE: string;
declare const RULES_FILE: string;
declare const TOKEN_FILE: string;
/** The hash in the names of all catalogs. */
declare const CATALOGS_HASH: string;

const load = <Part>(file: string) => import(new URL(file, import.meta.url).href) as Promise<Part>;

/** Loads a catalog, else that of English, else the few words that are always here. */
const loadWords = (language: string): Promise<Spoken['words']> =>
  load<{ default: Spoken['words'] }>(`${language.toLowerCase()}.${CATALOGS_HASH}.js`).then(
    (catalog) => ({ ...ENGLISH.words, ...catalog.default }),
    () => (language === 'en' ? ENGLISH.words : loadWords('en')),
  );

/** Loads the form with its texts in the language. If that fails, its own texts are shown. */
const translate = (form: PublicForm, language: Language): Promise<PublicForm> | PublicForm =>
  form.languages?.includes(language)
    ? fetch(new URL(`forms/${form.id}.json?lang=${language}`, import.meta.url))
        .then((response) => response.json() as Promise<PublicForm>)
        // A response of another kind has no fields.
        .then((translated) => (translated.fields ? translated : form))
        .catch(() => form)
    : form;

export const prepare: UiChunk['prepare'] = async (saved, tag) => {
  const chosen = chooseLanguage(saved, tag);
  const loading = loadWords(chosen.language);
  const form = await translate(saved, chosen.language);
  await loadParts(form, {
    choices: () => load<Parts['choices']>(CHOICES_FILE),
    content: () => load<Parts['content']>(CONTENT_FILE),
    pictures: () => load<Parts['pictures']>(PICTURES_FILE),
    rules: () => load<Parts['rules']>(RULES_FILE),
    token: () => load<Parts['token']>(TOKEN_FILE),
    placements: () => load<Parts['placements']>(PLACEMENTS_FILE),
  });
  const spoken: Spoken = { ...chosen, words: await loading };
  return {
    openModal: (view) => openNow({ ...view, form, spoken }),
    renderInline: (view) => renderNow({ ...view, form, spoken }),
  };
};

// Cached loaders of earlier versions don't prepare a form.
export const renderInline: Ui['renderInline'] = (view) =>
  void prepare(view.form, view.tag).then(
    (ui) => ui.renderInline(view),
    () => {},
  );

export const openModal: Ui['openModal'] = (view) => {
  let opened: { close: () => void } | undefined;
  let end: ((kind: CloseKind) => void) | undefined = view.onClose;
  prepare(view.form).then(
    (ui) => end && (opened = ui.openModal(view)),
    () => end?.('other'),
  );
  return {
    close() {
      if (opened) opened.close();
      else end?.('other');
      end = undefined;
    },
  };
};
