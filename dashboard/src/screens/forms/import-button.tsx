import { Button, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { importForm } from '../../api/form-copies.ts';
import { formKeys } from '../../api/forms.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { formsTexts as texts } from '../../texts/forms.ts';

/** Imports a form from an exported file. */
export function ImportButton() {
  const queryClient = useQueryClient();
  const reset = useRef<() => void>(null);
  const load = useMutation({
    mutationFn: async (file: File) => importForm(parse(await file.text(), file.name)),
    onSuccess(made) {
      toastSuccess(texts.imported(made.name));
      return queryClient.invalidateQueries({ queryKey: formKeys.all });
    },
    // Allows the user to select the same file again.
    onSettled: () => reset.current?.(),
  });
  return (
    <FileButton
      resetRef={reset}
      accept="application/json,.json"
      inputProps={{ 'aria-label': texts.importFile }}
      onChange={(file) => file && load.mutate(file)}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          loading={load.isPending}
        >
          {texts.import}
        </Button>
      )}
    </FileButton>
  );
}

function parse(text: string, fileName: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(texts.notJson(fileName), { cause: error });
  }
}
