import {
  conditionsIn,
  type FormField,
  type FormSettings,
  type LogicCondition,
  type Popup,
  type Trigger,
} from '@svcforms/contracts';
import { labelOf as labelOfField } from '../../../components/field-labels.ts';
import { exactTime } from '../../../components/time-format.ts';
import { buildTexts } from '../../../texts/build.ts';
import { displayTexts } from '../../../texts/display.ts';
import { approvalsTexts } from '../../../texts/groups.ts';
import { languagesTexts } from '../../../texts/languages.ts';
import { publishTexts } from '../../../texts/publish.ts';
import type { Change } from '../draft/changes.ts';

const texts = publishTexts.changes;
const { logic } = buildTexts;
const { triggers, levels } = displayTexts.trigger;

const MAX_SHOWN = 300;
/** The characters before a difference in a long text. */
const CONTEXT = 50;

/** The names that stand for the fields, users and groups in the words of a change. */
export interface Names {
  fields: readonly FormField[];
  /** The name of a user or a group. */
  ofId: (id: string) => string;
}

type Conditions = NonNullable<FormField['showIf']>;
type Jumps = NonNullable<FormSettings['jumps']>;
type Endings = NonNullable<FormSettings['endings']>;
type Writer = (value: never, names: Names) => string;

const ofTable = (table: Readonly<Record<string, string>>) => (value: string) => table[value] ?? value;
const labelOf = (name: string, { fields }: Names): string =>
  labelOfField(fields.find((one) => one.name === name) ?? { name });
const listed = (ids: readonly string[], { ofId }: Names) => ids.map(ofId).join(', ');
const yesOrNo = (value: boolean) => (value ? buildTexts.field.yes : buildTexts.field.no);
const inSeconds = (ms: number) => String(ms / 1000);
const inHours = (seconds: number) => String(seconds / 3600);

/** The values of a property in words, by its name. All others are texts, numbers and switches. */
const WRITERS: Readonly<Record<string, Writer>> = {
  type: ofTable(buildTexts.fields.types),
  options: (options: NonNullable<FormField['options']>) =>
    options.map(({ value, label }) => (label && label !== value ? `${label} (${value})` : value)).join(', '),
  ratingStyle: ofTable(buildTexts.design.ratingStyles),
  showIf: conditionsInWords,
  jumps: (jumps: Jumps, names: Names) => jumps.map((jump) => jumpInWords(jump, names)).join('\n'),
  endings: (endings: Endings, names: Names) => endings.map((one) => endingInWords(one, names)).join('\n'),
  trigger: triggerInWords,
  and: (both: NonNullable<Popup['and']>) => both.map(conditionOfTrigger).join(' + '),
  delayMs: inSeconds,
  intentLevel: ofTable(levels),
  devices: ofTable(displayTexts.devices),
  placement: (placement: string) =>
    ofTable({
      inline: displayTexts.mode.inline,
      ...Object.fromEntries(
        Object.entries(displayTexts.placement.styles).map(([key, { label }]) => [key, label]),
      ),
    })(placement),
  position: ofTable(displayTexts.placement.positions),
  colorScheme: ofTable(buildTexts.design.colorSchemes),
  density: ofTable(buildTexts.design.densities),
  language: ofTable(languagesTexts.names),
  closesAt: exactTime,
  approvals: (approvals: number | 'all') => (approvals === 'all' ? approvalsTexts.all : String(approvals)),
  users: listed,
  groups: listed,
  escalateTo: (id: string, { ofId }: Names) => ofId(id),
  remindAfterSeconds: inHours,
  escalateAfterSeconds: inHours,
};

/** `“Email” › Label` of a field, `Popup › Trigger` of the settings. */
export function subjectOf({ kind, field, path }: Change, names: Names): string {
  if (kind === 'moved') return texts.moved;
  const parts = path.filter((name, index) => index > 0 || name !== 'settings');
  const words = parts.map((name, index) => partInWords(name, parts[index - 1], names));
  return [...(field ? [texts.field(labelOfField(field))] : []), ...words].join(' › ');
}

/**
 * A value before or after the change in the words of the screens, or as JSON if both values have
 * the same words.
 */
export function valueInWords(change: Change, value: unknown, names: Names): string {
  const { before, after } = change;
  const isUnclear =
    before !== undefined &&
    after !== undefined &&
    inWords(change, before, names) === inWords(change, after, names);
  return isUnclear ? JSON.stringify(value) : inWords(change, value, names);
}

/**
 * The start of a long text, or the part where it begins to differ from `other` if that is later.
 */
export function shortened(text: string, other: string): string {
  if (text.length <= MAX_SHOWN) return text;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  const start = same < MAX_SHOWN ? 0 : same - CONTEXT;
  const part = text.slice(start, start + MAX_SHOWN);
  return `${start > 0 ? '…' : ''}${part}${start + MAX_SHOWN < text.length ? '…' : ''}`;
}

function inWords({ kind, path }: Change, value: unknown, names: Names): string {
  if (kind === 'moved') return (value as string[]).map((name) => labelOf(name, names)).join(', ');
  // A whole field has its type as its value.
  const property = path.at(-1) ?? 'type';
  const isTranslation = path[1] === 'translations';
  const writer = !isTranslation && Object.hasOwn(WRITERS, property) ? WRITERS[property] : undefined;
  if (writer) return writer(value as never, names);
  if (typeof value === 'boolean') return value ? texts.on : texts.off;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) value = value.join(', ');
  if (value === '') return texts.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `submitLabel` → `Submit button label`. Below the translations, keys are languages and fields. */
function partInWords(name: string, parent: string | undefined, names: Names): string {
  if (parent === 'translations') return ofTable(languagesTexts.names)(name);
  if (parent === 'fields') return `“${labelOf(name, names)}”`;
  const paths: Readonly<Record<string, string>> = texts.paths;
  const known = [`${parent}.${name}`, name].find((key) => Object.hasOwn(paths, key));
  if (known !== undefined) return paths[known] ?? name;
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function conditionsInWords(rule: Conditions, names: Names): string {
  const { list, isAny } = conditionsIn(rule);
  const conditions = list.map((condition) => conditionInWords(condition, names));
  return conditions.join(` ${isAny ? texts.or : texts.and} `);
}

/** `“Plan” is “Team”`. */
function conditionInWords({ field, op, value }: LogicCondition, names: Names): string {
  const source = `“${labelOf(field, names)}”`;
  if (op === 'answered') return `${source} ${logic.ops[value === false ? 'unanswered' : 'answered']}`;
  const option = names.fields.find(({ name }) => name === field)?.options?.find((one) => one.value === value);
  const wanted = typeof value === 'boolean' ? yesOrNo(value) : option?.label || value;
  return `${source} ${logic.ops[op]} “${wanted}”`;
}

function jumpInWords({ from, to, when }: Jumps[number], names: Names): string {
  const target = to === 'end' ? logic.end : logic.step(to);
  return `${logic.step(from)} → ${target}${whenInWords(when, names)}`;
}

function endingInWords({ name, when, title, message, redirectUrl }: Endings[number], names: Names): string {
  const shown = [
    title && `${logic.endingTitle} “${title}”`,
    message && `${logic.endingMessage} “${message}”`,
    redirectUrl && `${logic.endingUrl} ${redirectUrl}`,
  ].filter(Boolean);
  return `${name}${whenInWords(when, names)}${shown.length > 0 ? `: ${shown.join(' · ')}` : ''}`;
}

const whenInWords = (when: Conditions | undefined, names: Names): string =>
  when ? ` (${texts.when(conditionsInWords(when, names))})` : '';

/** A later version may save triggers that this one doesn't know. */
function triggerInWords(trigger: string): string {
  return Object.hasOwn(triggers, trigger) ? triggers[trigger as Trigger].label : trigger;
}

/** `Time on page, 90 s`. */
function conditionOfTrigger({
  trigger,
  delayMs,
  scrollPercent,
  intentLevel,
  selector,
}: Omit<Popup, 'trigger'> & { trigger: string }): string {
  const parameters = [
    delayMs !== undefined && texts.seconds(delayMs / 1000),
    scrollPercent !== undefined && texts.percent(scrollPercent),
    intentLevel && ofTable(levels)(intentLevel),
    selector,
  ].filter(Boolean);
  return [triggerInWords(trigger), ...parameters].join(', ');
}
