import { compilePages, type PublicForm, type TriggerPlan } from '@svcforms/contracts';
import { isForThisDevice } from '../rules/devices.ts';
import { arm } from './arm.ts';
import type { IsLate } from './click-target.ts';
import { loadForm, type FormEntry, type Service } from './form-entry.ts';
import { has, readPlacement, savedPlanOf, type Placement, type TriggersChunk } from './placement.ts';
import type { TriggerTable } from './trigger.ts';
import type { CloseKind, FormView, Ui } from './ui.ts';

/** The only global of the page, `window.SvcForms`. */
export interface SvcForms {
  /**
   * Opens the modal of a form. Does nothing for an unknown id or while a modal is open. Resolves
   * with false if the form can't be opened.
   */
  open: (formId: string) => Promise<boolean>;
  /** Closes the open modal. */
  close: () => void;
}

export interface Registry {
  open: (formId: string, isLate?: IsLate) => Promise<boolean>;
  close: () => void;
  /** Registers a script tag. `t0` is when its script started, as `performance.now()`. */
  add: (tag: HTMLScriptElement | null, t0: number) => Promise<void>;
}

interface RegistryDeps extends Service {
  triggers: TriggerTable;
  loadTriggers: () => Promise<TriggersChunk>;
  /** `tag` says in which language. */
  loadUi: (form: PublicForm, tag: Element | null) => Promise<Ui>;
}

/** Holds the forms of all script tags of a page and the one modal that they share. */
export function createRegistry(given: RegistryDeps): Registry {
  const { triggers, base, loadUi } = given;
  /** Has no prototype because pages may ask for a form of any name. */
  const entries: Record<string, Promise<FormEntry | undefined> | undefined> = Object.create(null);
  const placed = new Set<string>();
  const tags: (Element | null)[] = [];
  let openings = 0;
  /** The number of the opening that owns the modal, before it is open too; 0 if there is none. */
  let owner = 0;
  /** Closes the open modal. */
  let close: (() => void) | undefined;

  const find = async (formId: string) => {
    const entry = await (entries[formId] ??= loadForm(given, formId));
    // The form may exist the next time.
    if (!entry) entries[formId] = undefined;
    return entry;
  };

  function show(entry: FormEntry, tag: Element | null, byTrigger: boolean, isLate?: IsLate) {
    // A form that a visitor is filling in is never replaced.
    if (close) return Promise.resolve(true);
    const id = (owner = ++openings);
    const release = (): false => {
      if (owner === id) {
        owner = 0;
        close = undefined;
      }
      entry.isOpen = false;
      entry.consent?.follow();
      return false;
    };
    const { record } = entry;
    const onConverted = () => {
      record.beginWait();
      void entry.count('converted');
    };
    const onClose = (kind: CloseKind) => {
      release();
      if (kind === 'passive') record.beginWait();
      if (kind === 'declined') {
        record.declined();
        void entry.count(kind);
      }
    };
    return Promise.all([loadUi(entry.form, tag), entry.ready()])
      .then(([{ openModal }]) => {
        // The visitor has asked for another form in the meantime.
        if (owner !== id) return true;
        if (isLate?.()) return release();
        entry.isOpen = true;
        const isWanted = !byTrigger || !!isLate;
        ({ close } = openModal({ ...viewOf(entry, tag, base), isWanted, onConverted, onClose }));
        if (byTrigger) record.shown();
        void entry.count('shown');
        entry.consent?.follow();
        return true;
      })
      .catch(release);
  }

  async function armPopup(entry: FormEntry, { tag }: Placement, plan: TriggerPlan, t0: number) {
    const { form, record, armed } = entry;
    const popup = form.popup ?? {};
    const isOnPage = compilePages(popup.pages, () => location.pathname);
    if (!isForThisDevice(popup.devices) || !isOnPage() || !record.mayShow(popup)) return;
    await entry.ready();
    entry.consent?.mayCount();
    armed.push(
      arm({
        triggers,
        plan,
        popup,
        prefixes: (tag?.getAttribute('data-svc-analytics') || 'svc').split(/[\s,]+/),
        t0,
        // The browser keeps what it has loaded.
        warm: () => void loadUi(form, tag).catch(() => {}),
        isBlocked: () => !!owner || !isOnPage(),
        // Another placement or tab may have shown the form first.
        open: (isLate) => record.mayShow(popup) && show(entry, tag, true, isLate),
      }),
    );
    entry.consent?.follow();
  }

  return {
    async add(tag, t0) {
      // A module of another version of this script sees the same tags.
      if (tags.includes(tag)) return;
      tags.push(tag);
      const placement = readPlacement(tag);
      const { formId, triggers: text } = placement;
      // The parser comes before the form, so that a form arms as soon as it is here.
      const parser = text && (await given.loadTriggers().catch(() => {}));
      const entry = formId && parser !== undefined ? await find(formId) : undefined;
      if (!entry) return;
      const plan = parser ? parser.readTriggers(text) : savedPlanOf(placement, entry.form);
      const name = `${formId} ${text}`;
      if (plan) {
        if (placed.has(name)) return;
        placed.add(name);
        await armPopup(entry, placement, plan, t0);
      } else {
        loadUi(entry.form, tag).then(
          ({ renderInline }) => {
            // The tag named the form.
            renderInline(viewOf(entry, tag as Element, base));
            void entry.count('viewed');
          },
          () => {},
        );
      }
    },
    async open(formId, isLate) {
      const entry = await find(String(formId));
      const tag = tags.find((other) => other?.getAttribute('data-svc-form-id') === formId) ?? tags[0] ?? null;
      return !!entry && !isLate?.() && show(entry, tag, false, isLate);
    },
    close: () => close?.(),
  };
}

function viewOf<T extends Element | null>(
  { form, record }: FormEntry,
  tag: T,
  base: string,
): FormView & { tag: T } {
  return {
    form,
    tag,
    base,
    prefill: has(tag, 'prefill'),
    page: has(tag, 'page'),
    onConverted: record.beginWait,
  };
}
