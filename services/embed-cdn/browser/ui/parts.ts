import type { PublicForm } from '@svcforms/contracts';
import type { Body, Field } from './control.ts';

/** A chunk with its style sheet. */
interface Part {
  styles: string;
}

/** Parts of the renderer that only some forms need, each in a chunk of its own. */
export interface Parts {
  /** Controls with options, and checkboxes. */
  choices: Part & { createBody: (field: Field, id: string, mark: Node | false) => Body };
  /** The logo and the cover of a theme. */
  pictures: Part & { addPictures: (node: HTMLElement, form: PublicForm) => void };
}

export type PartLoaders = { [Name in keyof Parts]: () => Promise<Parts[Name]> };

/** The loaded parts. */
export const parts: Partial<Parts> = {};

export const isChoice = ({ type }: Field): boolean => /^(select|radio|check|rating)/.test(type);

/** Loads the parts that a form needs and that are missing. */
export async function loadParts({ fields, theme }: PublicForm, load: PartLoaders): Promise<void> {
  await Promise.all([
    fields.some(isChoice) && load.choices().then((part) => (parts.choices = part)),
    (theme?.logo || theme?.cover) && load.pictures().then((part) => (parts.pictures = part)),
  ]);
}
