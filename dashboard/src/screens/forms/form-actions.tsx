import { ActionIcon, Loader, Menu } from '@mantine/core';
import type { FormOut } from '@svcforms/contracts';
import { IconCopy, IconDots, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { countWebhooks, deleteForm, duplicateForm, exportForm } from '../../api/form-copies.ts';
import { formKeys, statsOfFormsQuery } from '../../api/forms.ts';
import { useHasScope } from '../../api/session.ts';
import { countPendingTasks } from '../../api/tasks.ts';
import { confirmDelete } from '../../components/delete-button.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { formsTexts as texts } from '../../texts/forms.ts';

/** The actions menu of a form in the list. */
export function FormActions({ form }: { form: FormOut }) {
  const { id, name } = form;
  const mayWrite = useHasScope('forms:write');
  const maySeeWebhooks = useHasScope('forms:webhooks:manage');
  const maySeeTasks = useHasScope('tasks:read');
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
      toastSuccess(texts.duplicated(made.name, form.version > 0 && form.draft !== undefined));
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteForm(id),
    onSuccess: () => toastSuccess(texts.deleted(name)),
    // Not the statistics, which don't exist anymore.
    onSettled: () => queryClient.invalidateQueries({ queryKey: formKeys.lists }),
  });
  /** Names what the deletion removes before it asks for confirmation. */
  const confirmDeletion = useMutation({
    async mutationFn() {
      const today = new Date().toISOString().slice(0, 10);
      const [webhooks, pendingTasks, [numbers]] = await Promise.all([
        maySeeWebhooks ? countWebhooks(id) : undefined,
        maySeeTasks ? countPendingTasks(id) : undefined,
        queryClient.fetchQuery({ ...statsOfFormsQuery([id], today), staleTime: 0 }),
      ]);
      return { webhooks, pendingTasks, submissions: numbers?.totalSubmissions };
    },
    onSuccess: ({ webhooks, pendingTasks, submissions }) =>
      confirmDelete({
        title: texts.deleteTitle(name),
        text: texts.deleteText(webhooks, submissions, pendingTasks),
        confirm: texts.delete,
        onConfirm: () => remove.mutate(),
      }),
  });

  const [isOpen, setOpen] = useState(false);
  const isBusy = [save, duplicate, remove, confirmDeletion].some(({ isPending }) => isPending);

  return (
    // The button isn't disabled, which would take the focus that a dialog returns to it.
    <Menu
      position="bottom-end"
      withinPortal
      opened={isOpen && !isBusy}
      // A click while it is busy must not open the menu afterwards.
      onChange={(open) => setOpen(open && !isBusy)}
    >
      <Menu.Target>
        <ActionIcon variant="default" aria-label={texts.actionsOf(name)} aria-busy={isBusy}>
          {isBusy ? <Loader size={16} aria-hidden /> : <IconDots size={16} aria-hidden />}
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
            onClick={() => confirmDeletion.mutate()}
          >
            {texts.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Downloads a value as a JSON file. */
function downloadJson(fileName: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click();
  // The browser reads the URL after the click.
  setTimeout(() => URL.revokeObjectURL(url), DOWNLOAD_TIMEOUT_MS);
}
