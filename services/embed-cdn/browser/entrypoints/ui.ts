import type { Language, PublicForm } from '@svcforms/contracts';
import type { FormView, UiChunk } from '../core/ui.ts';
import { has, ownTag } from '../core/placement.ts';
import { createEmitter } from '../ui/events.ts';
import { openModal as openNow } from '../ui/modal.ts';
import { renderInline as renderNow } from '../ui/inline.ts';
import { isChoice, isPlaced, isRuled, loadParts } from '../ui/parts.ts';
import { chooseLanguage, ENGLISH, type Spoken, type SpokenView } from '../ui/spoken.ts';

/** The hash in the names of all chunks, defined by the build. */
declare const HASH: string;

/** Catalogs have the name of their language. */
const load = <Part>(name: string): Promise<Part> => {
  // A variable, because esbuild bundles the files that match a template in `import()`.
  const path = `./${name.toLowerCase()}.${HASH}.js`;
  return import(path) as Promise<Part>;
};

type Words = Spoken['words'];

/** Loads a catalog, else that of English, else the few words that are always here. */
const loadWords = (language: string, needsMore: boolean): Promise<Words> => {
  const some = load<{ default: Words }>;
  return Promise.all([some(language), needsMore && some(`${language}-more`)]).then(
    ([words, more]) => ({ ...ENGLISH.words, ...words.default, ...(more && more.default) }),
    () => (language === 'en' ? ENGLISH.words : loadWords('en', needsMore)),
  );
};

/** Loads the form with its texts in the language. If that fails, its own texts are shown. */
const translate = (form: PublicForm, language: Language): Promise<PublicForm> | PublicForm =>
  form.languages?.includes(language)
    ? fetch(new URL(`forms/${form.id}.json?lang=${language}`, import.meta.url))
        .then((response) => response.json() as Promise<PublicForm>)
        // A response of another kind has no fields.
        .then((translated) => (translated.fields ? translated : form))
        .catch(() => form)
    : form;

export const prepare: UiChunk['prepare'] = async (saved, tag = null, isInline = false) => {
  const chosen = chooseLanguage(saved, tag);
  const loading = loadWords(chosen.language, saved.fields.some(isRuled) || saved.fields.some(isChoice));
  const form = await translate(saved, chosen.language);
  await loadParts(form, isInline, load);
  const spoken: Spoken = { ...chosen, words: await loading };
  const spokenView = <View extends FormView>(view: View, placement: string): SpokenView<View> => ({
    ...view,
    form,
    spoken,
    emit: createEmitter(form.id, placement, ownTag(tag, form.id), view, () => load('data-layer')),
  });
  return {
    openModal: (view) => openNow(spokenView(view, isPlaced(form) ? (form.placement as string) : 'modal')),
    renderInline: (view) => renderNow(spokenView(view, has(tag, 'hosted') ? 'hosted' : 'inline')),
  };
};
