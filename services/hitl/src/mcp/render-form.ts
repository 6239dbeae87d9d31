import {
  BLOCK_TYPES,
  CHOICE_TYPES,
  conditionsIn,
  isPopup,
  labelText,
  type FormDefinition,
  type FormField,
  type LogicCondition,
} from '@svcforms/contracts';

/** Renders a form as text, step by step: what visitors read, and when they see it. */
export function renderForm({ name, title, intro, fields, settings }: FormDefinition): string {
  const steps = [...new Set(fields.map(stepOf))].sort((one, other) => one - other);
  const lines = [
    `# ${title ?? name}`,
    ...(intro === undefined ? [] : [intro]),
    `(${isPopup(settings) ? `popup: ${settings.placement ?? 'modal'}` : 'inline'})`,
  ];
  for (const step of steps) {
    if (steps.length > 1) lines.push('', `## Step ${step}`);
    lines.push(...fields.filter((field) => stepOf(field) === step).map(fieldLine));
    for (const { from, to, when } of settings.jumps ?? [])
      if (from === step)
        lines.push(`→ ${to === 'end' ? 'end' : `step ${to}`}${when ? ` if ${ruleText(when)}` : ''}`);
  }
  lines.push('', `[${settings.submitLabel ?? 'Submit'}]`);
  const { thankYou, endings = [] } = settings;
  for (const ending of endings) lines.push(`Ending if ${ruleText(ending.when)}: ${endText(ending)}`);
  lines.push(`After submission: ${endText(thankYou ?? {})}`);
  return lines.join('\n');
}

const stepOf = ({ step = 1 }: FormField) => step;

function fieldLine({ name, type, label, required, options, showIf, help, src }: FormField): string {
  const text = label?.trim() ? labelText(label) : name;
  const shown = showIf ? ` — only if ${ruleText(showIf)}` : '';
  if (BLOCK_TYPES.includes(type))
    return `- (${type}) ${type === 'image' ? (src ?? '') : type === 'divider' ? '' : text}${shown}`.trimEnd();
  const choices = CHOICE_TYPES.includes(type)
    ? `: ${(options ?? []).map((option) => option.label?.trim() || option.value).join(' | ')}`
    : '';
  const note = help === undefined ? '' : ` (${help})`;
  return `- ${text}${required ? ' *' : ''} [${type} ${name}${choices}]${note}${shown}`;
}

function ruleText(rule: Parameters<typeof conditionsIn>[0]): string {
  const { list, isAny } = conditionsIn(rule);
  return list.map(conditionText).join(isAny ? ' or ' : ' and ');
}

function conditionText({ field, op, value }: LogicCondition): string {
  if (op === 'answered') return `${field} is ${value === false ? 'not answered' : 'answered'}`;
  return `${field} ${op} ${JSON.stringify(value)}`;
}

function endText({
  title,
  message,
  redirectUrl,
}: {
  title?: string | undefined;
  message?: string | undefined;
  redirectUrl?: string | undefined;
}): string {
  const parts = [title, message, redirectUrl && `redirects to ${redirectUrl}`].filter(Boolean);
  return parts.length > 0 ? parts.join(' — ') : 'the default text';
}
