import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { TextLink } from '../../../components/links.tsx';
import { shareTexts } from '../../../texts/share.ts';
import { useSavedForm } from './use-saved-form.ts';

/** Says what doesn't work until the form of the current screen is published. */
export function UnpublishedAlert({ text }: { text: string }) {
  const { id, version } = useSavedForm();
  if (version > 0) return null;
  return (
    <Alert variant="outline" color="orange" icon={<IconAlertTriangle aria-hidden />}>
      {text}{' '}
      <TextLink to="/forms/$formId/publish" params={{ formId: id }}>
        {shareTexts.publish}
      </TextLink>
    </Alert>
  );
}
