import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import {
  checkValues,
  isBlank,
  withAgreedText,
  type DecisionIn,
  type FormField,
  type FormOut,
  type TaskOut,
} from '@svcforms/contracts';
import { useEffect, useRef, useState } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { InvalidText } from '../../components/invalid-text.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { isSame, TaskField } from './task-field.tsx';
import { useInbox } from './use-decisions.tsx';
import { useShortcuts } from './use-shortcuts.ts';

type Outcome = DecisionIn['outcome'];

/** The values of a task and its decision. A failed decision keeps the reviewer's input. */
export function DecisionForm({
  task,
  fields,
  form,
  mayDecide,
}: {
  task: TaskOut;
  fields: readonly FormField[];
  form: FormOut | undefined;
  mayDecide: boolean;
}) {
  const { decisions, decide } = useInbox();
  // An undo or a refusal by the server brings the input back.
  const [restored] = useState(() => (mayDecide ? decisions.takeDraft(task.id) : undefined));
  const [changes, setChanges] = useState<Readonly<Record<string, unknown>>>(restored?.changes ?? {});
  const [comment, setComment] = useState(restored?.comment ?? '');
  const [rejectOption, setRejectOption] = useState(restored?.rejectOption ?? '');
  const [invalid, setInvalid] = useState<Readonly<Record<string, string>>>({});
  const [missingComment, setMissingComment] = useState(false);
  const { seen, showNewValues } = useSeenValues(task, restored?.seen, mayDecide);
  const canChoose = mayDecide && !showNewValues;
  const commentInput = useRef<HTMLTextAreaElement>(null);

  const hasInput = mayDecide && (Object.keys(changes).length > 0 || comment !== '' || rejectOption !== '');
  useUnsent(task.id, hasInput);

  const errors = { ...formErrors(restored?.error), ...invalid };

  const isForm = task.decisionMode === 'form';
  const isEditable = (name: string) =>
    mayDecide && (task.editableFields ? task.editableFields.includes(name) : isForm);
  // In a pending task, the values that an earlier vote changed: this decision is about them.
  const shownValues = seen.formData ?? seen.prefill;
  const knownNames = new Set(fields.map(({ name }) => name));
  const others = Object.entries(shownValues).filter(([name]) => !knownNames.has(name));

  const change = (name: string, value: unknown) =>
    setChanges((current) => {
      const others = Object.entries(current).filter(([other]) => other !== name);
      return Object.fromEntries(isSame(value, shownValues[name]) ? others : [...others, [name, value]]);
    });

  const choose = (outcome: Outcome) => {
    const needsComment = outcome !== 'submitted' && task.requireComment?.includes(outcome);
    setMissingComment(Boolean(needsComment && isBlank(comment)));
    const found = outcome === 'rejected' ? {} : invalidValues(form, shownValues, changes);
    setInvalid(found);
    if (Object.keys(found).length > 0) return;
    if (needsComment && isBlank(comment)) return commentInput.current?.focus();
    decide({
      task,
      draft: { changes, comment, rejectOption, seen },
      decision: {
        outcome,
        fields: changes,
        ...(!isBlank(comment) && { comment: comment.trim() }),
        ...(outcome === 'rejected' && rejectOption && { rejectOption }),
      },
    });
  };
  useShortcuts({
    a: canChoose ? () => choose(isForm ? 'submitted' : 'approved') : undefined,
    r: canChoose && !isForm ? () => choose('rejected') : undefined,
  });

  return (
    <Stack maw={640}>
      <UnsavedWarning when={hasInput} />
      <Text fw={600}>{texts.values}</Text>
      {fields.length === 0 && others.length === 0 && <Text>{texts.noValues}</Text>}
      {fields.map((field) => (
        <TaskField
          key={field.name}
          field={field}
          before={task.prefill[field.name]}
          // After somebody else resolved the task, unsent edits are no values of it.
          value={mayDecide && field.name in changes ? changes[field.name] : shownValues[field.name]}
          isEditable={isEditable(field.name)}
          error={errors[`fields.${field.name}`]}
          onChange={(value) => change(field.name, value)}
        />
      ))}
      <OtherValues values={others} prefill={task.prefill} />
      {mayDecide && (
        <>
          {!isForm && (
            <RejectOptionSelect
              options={task.rejectOptions ?? []}
              value={rejectOption}
              error={errors['rejectOption']}
              onChange={setRejectOption}
            />
          )}
          <Textarea
            ref={commentInput}
            label={texts.comment}
            autosize
            minRows={2}
            maxLength={10_000}
            value={comment}
            error={missingComment ? texts.commentNeeded : errors['comment']}
            onChange={({ currentTarget }) => {
              setComment(currentTarget.value);
              setMissingComment(false);
            }}
          />
          <DecisionButtons
            isForm={isForm}
            error={restored?.error ?? null}
            inputs={[...fields.map(({ name }) => `fields.${name}`), 'comment', 'rejectOption']}
            isInvalid={Object.keys(invalid).length > 0}
            onChoose={choose}
            onShowNewValues={showNewValues}
          />
        </>
      )}
    </Stack>
  );
}

/**
 * The task with the values on the screen. A vote of somebody else changes the values of a pending
 * task; the ones that the reviewer saw stay until `showNewValues` is called, because nobody must
 * approve values that they haven't seen. `restored`: the task that an undone decision was about.
 */
function useSeenValues(task: TaskOut, restored: TaskOut | undefined, mayDecide: boolean) {
  const [seen, setSeen] = useState(restored ?? task);
  const hasNewValues = mayDecide && seen.valuesDigest !== task.valuesDigest;
  return {
    seen: hasNewValues ? seen : task,
    showNewValues: hasNewValues ? () => setSeen(task) : undefined,
  };
}

/** Keeps decisions on several tasks from dropping the input of this one. */
function useUnsent(taskId: string, hasInput: boolean): void {
  const { unsent } = useInbox().decisions;
  useEffect(() => {
    if (!hasInput) return;
    unsent.add(taskId);
    return () => void unsent.delete(taskId);
  }, [unsent, hasInput, taskId]);
}

/** The errors of an approval or a submission by path: the same check as the server's. */
function invalidValues(
  form: FormOut | undefined,
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const fields = (form?.fields ?? []).map((field) =>
    field.name in changes ? field : withAgreedText(field, before),
  );
  const { issues } = checkValues(fields, { ...before, ...changes }, form?.settings.jumps);
  return Object.fromEntries(
    issues.map(({ field, message }) => [
      `fields.${field}`,
      message.charAt(0).toUpperCase() + message.slice(1),
    ]),
  );
}

/** Values without a field in the form, which may have changed since the task was created. */
function OtherValues({
  values,
  prefill,
}: {
  values: readonly (readonly [name: string, value: unknown])[];
  prefill: TaskOut['prefill'];
}) {
  return values.map(([name, value]) => (
    <TaskField
      key={name}
      field={{ name, type: 'text' }}
      before={prefill[name]}
      value={value}
      isEditable={false}
      onChange={() => {}}
    />
  ));
}

/** The buttons stay visible, however long the form is. */
function DecisionButtons({
  isForm,
  error,
  inputs,
  isInvalid,
  onChoose,
  onShowNewValues,
}: {
  isForm: boolean;
  /** Why the server refused the decision. */
  error: Error | null;
  /** The paths whose inputs show their errors. */
  inputs: readonly string[];
  /** Whether inputs show errors. */
  isInvalid: boolean;
  onChoose: (outcome: Outcome) => void;
  /** If somebody changed the values: shows the new ones, and only then is there a decision. */
  onShowNewValues: (() => void) | undefined;
}) {
  const disabled = onShowNewValues !== undefined;
  return (
    <Stack className="inbox-decision" gap="xs">
      {onShowNewValues && (
        <Alert role="alert" variant="outline" color="orange">
          <Group justify="space-between">
            <Text>{texts.newValues}</Text>
            <Button size="xs" variant="default" onClick={onShowNewValues}>
              {texts.showNewValues}
            </Button>
          </Group>
        </Alert>
      )}
      <FailureAlert error={error} inputs={inputs} />
      {isInvalid && <InvalidText />}
      <Group>
        {isForm ? (
          <Button disabled={disabled} onClick={() => onChoose('submitted')}>
            {texts.submit}
          </Button>
        ) : (
          <>
            <Button disabled={disabled} onClick={() => onChoose('approved')}>
              {texts.approve}
            </Button>
            <Button disabled={disabled} variant="default" onClick={() => onChoose('rejected')}>
              {texts.reject}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  );
}

function RejectOptionSelect({
  options,
  value,
  error,
  onChange,
}: {
  options: readonly string[];
  value: string;
  error: string | undefined;
  onChange: (option: string) => void;
}) {
  if (options.length === 0) return null;
  return (
    <NativeSelect
      label={texts.reason}
      data={[
        { value: '', label: texts.noReason },
        ...options.map((option) => ({ value: option, label: option })),
      ]}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
