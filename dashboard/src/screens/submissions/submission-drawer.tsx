import { ActionIcon, Button, Drawer, Group, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useModals } from '@mantine/modals';
import type { FormField, SubmissionOut } from '@svcforms/contracts';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useContext, useEffect, type ReactNode } from 'react';
import { labelOf } from '../../components/field-labels.ts';
import { isMissing } from '../../api/api-error.ts';
import { useHasScope } from '../../api/session.ts';
import {
  deleteSubmission,
  refreshTotals,
  removeCachedSubmission,
  submissionQuery,
} from '../../api/submissions.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { DetailList } from '../../components/detail-list.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { Missing } from '../../components/missing.tsx';
import { exactTime } from '../../components/time-format.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { useReturnedFocus } from '../../components/use-returned-focus.ts';
import { shellTexts } from '../../texts/shell.ts';
import { submissionsTexts } from '../../texts/submissions.ts';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { LinkedText } from './linked-text.tsx';
import { ShownSubmissions } from './shown-submissions.ts';
import { SubmissionDeliveries } from './submission-deliveries.tsx';
import { useRelease } from './use-release.ts';
import { valueText } from '../../components/value-text.ts';

const texts = submissionsTexts.detail;

/** A submission with its deliveries and its task, beside the list. */
export function SubmissionDrawer() {
  const form = useSavedForm();
  const { submissionId } = useParams({ from: '/shell/forms/$formId/submissions/$submissionId' });
  const submission = useQuery(submissionQuery(submissionId));
  const mayDelete = useHasScope('submissions:write');
  const maySeeDeliveries = useHasScope('forms:webhooks:manage');
  const release = useRelease();
  const queryClient = useQueryClient();
  const router = useRouter();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/forms/$formId/submissions' });
  const close = () => navigate({ to: '/forms/$formId/submissions', params: { formId: form.id }, search });
  const remove = useMutation({
    mutationFn: ({ id }: SubmissionOut) => deleteSubmission(id),
    async onSuccess(_, deleted) {
      toastSuccess(texts.removed);
      // Meanwhile, the user may have opened another submission or screen.
      const params = { formId: form.id, submissionId: deleted.id };
      if (router.matchRoute({ to: '/forms/$formId/submissions/$submissionId', params })) await close();
      removeCachedSubmission(queryClient, deleted);
      await refreshTotals(queryClient);
    },
  });
  const { data } = submission;
  const isGone = isMissing(submission.error);
  useReturnedFocus();
  const isAsking = useModals().modals.length > 0;
  // The question closes before the drawer sees the same key.
  const [wasAsking] = useDebouncedValue(isAsking, 0);
  useEffect(() => {
    const before = document.title;
    document.title = [texts.title, form.name, shellTexts.product].join(' · ');
    return () => {
      document.title = before;
    };
  }, [form.name]);
  return (
    <Drawer
      opened
      // Escape closes only the question.
      closeOnEscape={!isAsking && !wasAsking}
      onClose={() => void close()}
      position="right"
      size="lg"
      title={texts.title}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': shellTexts.close }}
      attributes={{ header: { role: 'presentation' } }}
    >
      <Stack>
        <Neighbors formId={form.id} submissionId={submissionId} />
        {submission.isPending && <Loading />}
        {isGone && <Missing text={texts.missing} />}
        {submission.isError && !data && !isGone && (
          <FailureAlert error={submission.error} retry={submission.refetch} />
        )}
        {data && !isGone && (
          <>
            <Group gap="xs">
              <CopyButton
                size="sm"
                text={JSON.stringify(data, null, 2)}
                label={texts.copyJson}
                what={texts.title}
              />
              {mayDelete && data.status === 'quarantined' && (
                <Button
                  size="sm"
                  loading={release.isPending && release.variables.some(({ id }) => id === data.id)}
                  onClick={() => release.mutate([data])}
                >
                  {submissionsTexts.quarantine.release}
                </Button>
              )}
              {mayDelete && (
                <DeleteButton
                  loading={remove.isPending && remove.variables.id === data.id}
                  question={{
                    title: texts.removeTitle,
                    text: texts.removeText,
                    confirm: texts.remove,
                    onConfirm: () => remove.mutate(data),
                  }}
                />
              )}
            </Group>
            <Sections submission={data} fields={form.fields} />
            {maySeeDeliveries && (
              <SubmissionDeliveries key={data.id} formId={form.id} submissionId={data.id} />
            )}
          </>
        )}
      </Stack>
    </Drawer>
  );
}

/** Opens the submissions before and after this one in the list. */
function Neighbors({ formId, submissionId }: { formId: string; submissionId: string }) {
  const shown = useContext(ShownSubmissions);
  const navigate = useNavigate();
  const at = shown.indexOf(submissionId);
  if (at === -1) return null;
  const step = (by: number, label: string, icon: ReactNode) => {
    const id = shown[at + by];
    return (
      // Not disabled, which would throw the focus out of the drawer at the end of the list.
      <ActionIcon
        variant="default"
        aria-label={label}
        title={label}
        {...(id === undefined && { 'data-disabled': true, 'aria-disabled': true })}
        onClick={() =>
          id !== undefined &&
          void navigate({
            to: '/forms/$formId/submissions/$submissionId',
            params: { formId, submissionId: id },
            search: true,
            replace: true,
          })
        }
      >
        {icon}
      </ActionIcon>
    );
  };
  return (
    <Group gap="xs">
      {step(-1, texts.previous, <IconChevronUp size={16} aria-hidden />)}
      {step(1, texts.next, <IconChevronDown size={16} aria-hidden />)}
    </Group>
  );
}

function Sections({ submission, fields }: { submission: SubmissionOut; fields: readonly FormField[] }) {
  const { data, metadata, quarantineReason } = submission;
  const known = new Set(fields.map(({ name }) => name));
  const sent = fields.filter(({ name }) => Object.hasOwn(data, name));
  const others = Object.keys(data).filter((key) => !known.has(key));
  return (
    <>
      <DetailList
        title={texts.values}
        rows={sent.map((field) => {
          const text = valueText(data[field.name], field);
          return field.type === 'consent'
            ? [field.name, texts.consent, <LinkedText key="text" text={text} />]
            : [field.name, labelOf(field), text];
        })}
        empty={texts.noValues}
      />
      {others.length > 0 && (
        <DetailList title={texts.otherKeys} rows={others.map((key) => [key, key, valueText(data[key])])} />
      )}
      <DetailList
        title={texts.about}
        rows={[
          ['id', texts.id, submission.id],
          ['received', texts.received, exactTime(submission.createdAt)],
          ['status', submissionsTexts.status, submissionsTexts.statuses[submission.status]],
          ...(quarantineReason === undefined
            ? []
            : [
                [
                  'reason',
                  submissionsTexts.quarantine.reason,
                  submissionsTexts.quarantine.reasons[quarantineReason],
                ] as const,
              ]),
          ['via', texts.via, submissionsTexts.vias[metadata.submittedVia]],
          ...(['page', 'ipAddress', 'userAgent'] as const).flatMap((name) =>
            metadata[name] === undefined ? [] : [[name, texts[name], metadata[name]] as const],
          ),
          ...(metadata.taskId === undefined
            ? []
            : [['taskId', texts.taskId, <TaskOf key="task" taskId={metadata.taskId} />] as const]),
          ...(metadata.resolvedBy === undefined
            ? []
            : [['resolvedBy', texts.resolvedBy, texts.resolvers[metadata.resolvedBy]] as const]),
        ]}
      />
    </>
  );
}

function TaskOf({ taskId }: { taskId: string }) {
  if (!useHasScope('tasks:read')) return taskId;
  return (
    <TextLink to="/tasks/$taskId" params={{ taskId }}>
      {taskId}
    </TextLink>
  );
}
