import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { inboundListQuery } from '../../api/inbound.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { Missing } from '../../components/missing.tsx';
import { Page } from '../../components/page.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { inboundTexts as texts } from '../../texts/inbound.ts';
import { UnpublishedAlert } from '../form/layout/unpublished-alert.tsx';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { Endpoint, type NewSecret } from './endpoint.tsx';

/** The screen of one inbound endpoint, for forms with several of them. */
export function EndpointScreen() {
  const form = useSavedForm();
  const navigate = useNavigate();
  const { inboundId } = useParams({ from: '/shell/forms/$formId/integrations/$inboundId' });
  const list = useQuery(inboundListQuery(form.id));
  const [newSecret, setNewSecret] = useState<NewSecret | null>(null);
  const endpoint = list.data?.find(({ id }) => id === inboundId);
  const toList = { to: '/forms/$formId/integrations', params: { formId: form.id } } as const;
  return (
    <Page title={endpoint?.name ?? (list.data ? texts.missing.title : texts.title)} of={form.name}>
      <TextLink {...toList}>{texts.back}</TextLink>
      <UnpublishedAlert text={texts.unpublished} />
      {list.isPending && <Loading />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && !endpoint && <Missing text={texts.missing.text} />}
      {endpoint && (
        <Endpoint
          form={form}
          endpoint={endpoint}
          onNewSecret={setNewSecret}
          onDeleted={() => void navigate({ ...toList, ignoreBlocker: true })}
        />
      )}
      <SecretDialog
        title={newSecret?.title ?? ''}
        label={newSecret?.label ?? ''}
        secret={newSecret?.secret ?? null}
        onDone={() => setNewSecret(null)}
      />
    </Page>
  );
}
