import type { PopupEventType, PublicForm } from '@svcforms/contracts';
import type { IsLate } from './click-target.ts';
import { createPopup } from './popup.ts';
import type { Load } from './chunks.ts';
import { onNavigation } from './navigation.ts';
import { renderLater, type Rendered, type RenderOptions } from './render.ts';
import { createFinder, type FormEntry, type Service } from './form-entry.ts';
import { has, ownTag, readAttribute, readPlacement, savedPlanOf } from './placement.ts';
import type { TriggerTable } from './trigger.ts';
import { whenSeen } from './when-seen.ts';
import type { FormView, Ui } from './ui.ts';

/** The only global of the page, `window.SvcForms`. */
export interface SvcForms {
  /**
   * Opens the modal of a form. Does nothing for an unknown id or while a modal is open. Resolves
   * with false if the form can't be opened.
   */
  open: (formId: string) => Promise<boolean>;
  /** Closes the open modal, or the one that is about to open. */
  close: () => void;
  /**
   * Shows a form in an element, which must be in the page. An element has one form: the same form
   * again changes nothing, another one replaces it.
   */
  render: (element: Element, formId: string, options?: RenderOptions) => Rendered;
}

export interface Registry {
  render: SvcForms['render'];
  open: (formId: string, isLate?: IsLate) => Promise<boolean>;
  close: () => void;
  /**
   * Registers a script tag. `t0` is when its script started, as `performance.now()`, and `base` the
   * origin of its service.
   */
  add: (tag: HTMLScriptElement, t0: number, base?: string) => Promise<void>;
}

interface RegistryDeps extends Service {
  triggers: TriggerTable;
  load: Load<'consent' | 'navigation' | 'render' | 'triggers'>;
  /** `tag` says in which language. `isInline`: not as a popup. */
  loadUi: (form: PublicForm, tag: Element | undefined, isInline?: boolean) => Promise<Ui>;
}

/** Holds the forms of all script tags of a page and the one modal that they share. */
export function createRegistry(given: RegistryDeps): Registry {
  const { triggers, load, loadUi } = given;
  const find = createFinder(given);
  const placed = new Set<string>();
  let tags: Element[] = [];
  /** Arms the triggers of each popup for the current page. */
  const arms: ((t0: number) => Promise<void>)[] = [];
  let openings = 0;
  /** The number of the opening that owns the modal, before it is open too; 0 if there is none. */
  let owner = 0;
  let closeModal: (() => void) | undefined;
  /** The number of times that the page has closed forms, loaded or not. */
  let closings = 0;
  /** Whether the popup that is open, or about to be, may be on the current page. */
  let belongs: () => boolean;

  async function show(entry: FormEntry, tag: Element | undefined, isOnPage?: () => boolean, isLate?: IsLate) {
    // A form that a visitor is filling in is never replaced.
    if (closeModal) return true;
    // Page rules don't apply to a form that the visitor asked for.
    belongs = isOnPage ?? (() => true);
    const id = (owner = ++openings);
    const release = (): false => {
      if (owner === id) {
        owner = 0;
        closeModal = undefined;
      }
      entry.isOpen = false;
      entry.consent?.follow();
      return false;
    };
    const { record } = entry;
    return Promise.all([loadUi(entry.form, tag), entry.ready()])
      .then(([{ openModal }]) => {
        // The page has closed it, or the visitor has asked for another form in the meantime.
        if (owner !== id) return true;
        if (isLate?.()) return release();
        entry.isOpen = true;
        closeModal = openModal({
          ...viewOf(entry, tag, 'converted'),
          isWanted: !isOnPage || !!isLate,
          onClose(kind) {
            release();
            if (kind === 'passive') record.beginWait();
            if (kind !== 'declined') return;
            record.declined();
            entry.count(kind);
          },
        }).close;
        if (isOnPage) record.shown();
        entry.count('shown');
        entry.consent?.follow();
        return true;
      })
      .catch(release);
  }

  const end = () => {
    closeModal?.();
    // It may not be open yet.
    owner = 0;
  };

  /** Does for a page that scripts navigate to what a new page would do. */
  function goOn() {
    if (owner && !belongs()) end();
    arms.forEach((armNow) => void armNow(performance.now()));
  }

  /** Shows the form where the tag is. Resolves with a function that removes it. */
  const showInline = async (entry: FormEntry, tag: Element, isWanted: () => boolean) => {
    const { renderInline } = await loadUi(entry.form, tag, true);
    if (!isWanted()) return;
    entry.count('viewed');
    return renderInline({ ...viewOf(entry, tag, 'submitted'), tag });
  };

  return {
    async add(tag, t0, base) {
      // A module of another version of this script sees the same tags.
      if (tags.includes(tag)) return;
      // An app may leave the view with the tag while the form loads. Loaders remove only the tag.
      const view = tag.parentNode;
      tags = tags.filter((other) => other.parentNode?.isConnected !== false);
      tags.push(tag);
      const { formId, triggers: text } = readPlacement(tag);
      // The parser comes before the form, so that a form arms as soon as it is here.
      const parser = text && (await load('triggers').catch(() => {}));
      const entry = formId && parser !== undefined ? await find(formId, base) : undefined;
      if (!entry) return;
      const plan = parser ? parser.readTriggers(text) : savedPlanOf(tag, entry.form);
      const name = `${formId} ${text}`;
      if (plan) {
        if (placed.has(name)) return;
        placed.add(name);
        const armNow = createPopup({ triggers, loadUi, isBusy: () => !!owner, show }, entry, tag, plan);
        if (!armNow) return;
        const begin = Math.max(t0, await whenSeen);
        if (!arms.length) onNavigation(goOn, load);
        arms.push(armNow);
        await armNow(begin);
      } else showInline(entry, tag, () => view?.isConnected !== false).catch(() => {});
    },
    async open(formId, isLate) {
      const before = closings;
      const entry = await find(String(formId));
      const tag = tagFor(formId, tags);
      return !!entry && !isLate?.() && (closings > before || show(entry, tag, undefined, isLate));
    },
    render: (...target) => renderLater(load('render'), find, showInline, target),
    close() {
      closings++;
      end();
    },
  };
}

/** The tag that names the form, else one that names no form, else the first. */
function tagFor(formId: string, tags: readonly Element[]): Element | undefined {
  const naming = (id: string) => tags.find((tag) => (readAttribute(tag, 'form-id') || '') === id);
  return naming(formId) ?? naming('') ?? tags[0];
}

/** @param success the event that counts a submission */
function viewOf(
  { form, base, record, mayCount, count }: FormEntry,
  tag: Element | undefined,
  success: PopupEventType,
): FormView {
  const own = ownTag(tag, form.id);
  return {
    form,
    base,
    prefill: has(own, 'prefill'),
    page: has(own, 'page'),
    mayCount,
    onConverted() {
      record.beginWait();
      count(success);
    },
  };
}
