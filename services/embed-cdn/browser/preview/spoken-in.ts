import { CATALOGS, directionOf, type PublicForm } from '@svcforms/contracts';
import type { Spoken } from '../ui/spoken.ts';

/** The words of the form's language. The preview has all of them, because it loads nothing. */
export function spokenIn({ language = 'en' }: PublicForm): Spoken {
  return { language, dir: directionOf(language), words: CATALOGS[language].browser };
}
