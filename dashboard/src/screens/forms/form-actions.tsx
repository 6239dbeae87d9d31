import { ActionIcon, Menu } from '@mantine/core';
import type { FormOut } from '@svcforms/contracts';
import { IconCopy, IconDots, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { countWebhooks, deleteForm, duplicateForm, exportForm } from '../../api/form-copies.ts';
import { formKeys, statsOfFormsQuery } from '../../api/forms.ts';
import { useMay } from '../../api/session.ts';
import { confirmDelete } from '../../components/delete-button.tsx';
import { toastDone } from '../../components/toast.tsx';
import { formsTexts as texts } from '../../texts/forms.ts';
import { downloadJson } from './download.ts';

/** What can be done with a form of the list. */
export function FormActions({ form }: { form: FormOut }) {
  const { id, name } = form;
  const mayWrite = useMay('forms:write');
  const maySeeWebhooks = useMay('forms:webhooks:manage');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: formKeys.all });

  const save = useMutation({
    mutationFn: () => exportForm(id),
    onSuccess: (template) => downloadJson(texts.fileName(name), template),
  });
  const duplicate = useMutation({
    mutationFn: () => duplicateForm(id),
    onSuccess(made) {
      toastDone(texts.duplicated(made.name));
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteForm(id),
    onSuccess: () => toastDone(texts.deleted(name)),
    // Not its figures, which are not there any more.
    onSettled: () => queryClient.invalidateQueries({ queryKey: formKeys.lists }),
  });
  /** Names what would be lost before it asks. */
  const askToDelete = useMutation({
    async mutationFn() {
      const today = new Date().toISOString().slice(0, 10);
      const [webhooks, [numbers]] = await Promise.all([
        maySeeWebhooks ? countWebhooks(id) : undefined,
        queryClient.fetchQuery({ ...statsOfFormsQuery([id], today), staleTime: 0 }),
      ]);
      return { webhooks, submissions: numbers?.totalSubmissions };
    },
    onSuccess: ({ webhooks, submissions }) =>
      confirmDelete({
        title: texts.deleteTitle(name),
        text: texts.deleteText(webhooks, submissions),
        confirm: texts.delete,
        onConfirm: () => remove.mutate(),
      }),
  });

  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={texts.actionsOf(name)}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayWrite && (
          <>
            <Menu.Item
              leftSection={<IconPencil size={16} aria-hidden />}
              onClick={() => void navigate({ to: '/forms/$formId/build', params: { formId: id } })}
            >
              {texts.edit}
            </Menu.Item>
            <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => duplicate.mutate()}>
              {texts.duplicate}
            </Menu.Item>
          </>
        )}
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={() => save.mutate()}>
          {texts.export}
        </Menu.Item>
        {mayWrite && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => askToDelete.mutate()}
          >
            {texts.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
