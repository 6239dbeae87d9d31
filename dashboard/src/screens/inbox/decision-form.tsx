import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import type { DecisionIn, FormField, TaskOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { decideTask } from '../../api/tasks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { inboxTexts as texts } from '../../texts/inbox.ts';
import { isSame, TaskField } from './task-field.tsx';
import { useShortcuts } from './use-shortcuts.ts';

type Outcome = DecisionIn['outcome'];

/** The values of a task and its decision. A failed decision keeps the reviewer's input. */
export function DecisionForm({
  task,
  fields,
  mayDecide,
  onDecided,
  onRefused,
}: {
  task: TaskOut;
  fields: readonly FormField[];
  mayDecide: boolean;
  onDecided: () => void;
  onRefused: () => void;
}) {
  const [changes, setChanges] = useState<Record<string, unknown>>({});
  const [comment, setComment] = useState('');
  const [rejectOption, setRejectOption] = useState('');
  const [missingComment, setMissingComment] = useState(false);
  const commentInput = useRef<HTMLTextAreaElement>(null);

  const decide = useMutation({
    mutationFn: (outcome: Outcome) =>
      decideTask(task.id, {
        outcome,
        fields: changes,
        ...(comment.trim() && { comment: comment.trim() }),
        ...(outcome === 'rejected' && rejectOption && { rejectOption }),
      }),
    meta: { showsError: true },
    onSuccess(_, outcome) {
      toastSuccess(texts.done[outcome]);
      setChanges({});
      setComment('');
      onDecided();
    },
    // Somebody else may have resolved or claimed the task.
    onError: onRefused,
  });
  const errors = formErrors(decide.error);

  const isForm = task.decisionMode === 'form';
  const isEditable = (name: string) =>
    mayDecide && (task.editableFields ? task.editableFields.includes(name) : isForm);
  const shownValues = task.formData ?? task.prefill;
  const knownNames = new Set(fields.map(({ name }) => name));
  const others = Object.entries(shownValues).filter(([name]) => !knownNames.has(name));

  const change = (name: string, value: unknown) =>
    setChanges((current) => {
      const others = Object.entries(current).filter(([other]) => other !== name);
      return Object.fromEntries(isSame(value, task.prefill[name]) ? others : [...others, [name, value]]);
    });

  const choose = (outcome: Outcome) => {
    const needsComment = outcome !== 'submitted' && task.requireComment?.includes(outcome);
    setMissingComment(Boolean(needsComment && !comment.trim()));
    if (needsComment && !comment.trim()) commentInput.current?.focus();
    else if (!decide.isPending) decide.mutate(outcome);
  };
  useShortcuts({
    a: mayDecide ? () => choose(isForm ? 'submitted' : 'approved') : undefined,
    r: mayDecide && !isForm ? () => choose('rejected') : undefined,
  });

  return (
    <Stack maw={640}>
      <UnsavedWarning when={mayDecide && (Object.keys(changes).length > 0 || comment !== '')} />
      <Text fw={600}>{texts.values}</Text>
      {fields.length === 0 && others.length === 0 && <Text>{texts.noValues}</Text>}
      {fields.map((field) => (
        <TaskField
          key={field.name}
          field={field}
          before={task.prefill[field.name]}
          value={field.name in changes ? changes[field.name] : shownValues[field.name]}
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
            error={decide.error}
            isPending={decide.isPending}
            onChoose={choose}
          />
        </>
      )}
    </Stack>
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
  isPending,
  onChoose,
}: {
  isForm: boolean;
  error: Error | null;
  isPending: boolean;
  onChoose: (outcome: Outcome) => void;
}) {
  return (
    <Stack className="inbox-decision" gap="xs">
      <FailureAlert error={error} />
      <Group>
        {isForm ? (
          <Button loading={isPending} onClick={() => onChoose('submitted')}>
            {texts.submit}
          </Button>
        ) : (
          <>
            <Button loading={isPending} onClick={() => onChoose('approved')}>
              {texts.approve}
            </Button>
            <Button variant="default" disabled={isPending} onClick={() => onChoose('rejected')}>
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
