import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { discardDraft, etagOf, publishDraft } from '../../../api/forms.ts';
import { DeleteButton } from '../../../components/delete-button.tsx';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { Time } from '../../../components/time.tsx';
import { toastSuccess } from '../../../components/toast.tsx';
import { publishTexts } from '../../../texts/publish.ts';
import { useUserName } from '../../../api/use-user-name.ts';
import { Section } from '../../../components/section.tsx';
import { confirmEmpty } from '../draft/confirm-empty.tsx';
import { namePart } from '../draft/setting-names.ts';
import { useFormCache } from '../layout/use-form-cache.ts';
import { useSavedDraft, useSavedForm } from '../layout/use-saved-form.ts';
import { changesBetween } from '../draft/changes.ts';
import { ChangesList } from './changes-list.tsx';

const texts = publishTexts.draft;

/** The draft, compared with the published form. */
export function DraftSection() {
  const form = useSavedForm();
  const draft = useSavedDraft();
  const cache = useFormCache();
  const nameOf = useUserName();
  const publish = useMutation({
    mutationFn: () => publishDraft(form.id, etagOf(draft)),
    meta: { showsError: true },
    onMutate: (): void => discard.reset(),
    onSuccess(published) {
      toastSuccess(publishTexts.published(published.version));
      return cache.setPublished(published);
    },
    onError: () => cache.reload(form.id),
  });
  const discard = useMutation({
    mutationFn: (etag: string) => discardDraft(form.id, etag),
    meta: { showsError: true },
    onMutate: (): void => publish.reset(),
    onSuccess: () => toastSuccess(texts.discarded),
    onSettled: () => cache.reload(form.id),
  });
  const failure = (
    <FailureAlert
      error={publish.error ?? discard.error}
      nameOf={(parts) => namePart(draft, parts)}
      conflict={publish.error ? texts.conflict : texts.discardConflict}
    />
  );
  const state = draft.draft;
  if (!state) {
    return (
      <Section title={texts.title}>
        {failure}
        <Text>{texts.none}</Text>
      </Section>
    );
  }
  const isNew = form.version === 0;
  const changes = isNew ? [] : changesBetween(form, draft);
  return (
    <Section title={texts.title}>
      <Text c="dimmed" size="sm">
        {state.updatedBy !== null && texts.savedBy(nameOf(state.updatedBy))} <Time at={state.updatedAt} />
      </Text>
      {!isNew && state.basedOn < form.version && (
        <Alert variant="outline" color="orange" icon={<IconAlertTriangle aria-hidden />}>
          {texts.outdated(form.version)}
        </Alert>
      )}
      <Text>{isNew ? texts.never : changes.length > 0 ? texts.compared(form.version) : texts.same}</Text>
      {changes.length > 0 && (
        <ChangesList
          changes={changes}
          fields={[...draft.fields, ...form.fields]}
          label={texts.compared(form.version)}
        />
      )}
      {failure}
      <Group gap="xs">
        <Button onClick={() => confirmEmpty(draft, publish.mutate)} loading={publish.isPending}>
          {publishTexts.publish}
        </Button>
        {!isNew && (
          <DeleteButton
            loading={discard.isPending}
            question={{
              title: texts.discardTitle,
              text: texts.discardText,
              confirm: texts.discard,
              onConfirm: () => discard.mutate(etagOf(draft)),
            }}
          />
        )}
      </Group>
    </Section>
  );
}
