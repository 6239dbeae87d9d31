import { useQuery } from '@tanstack/react-query';
import { allFormsQuery } from '../../api/forms.ts';
import { TextLink } from '../../components/links.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';

const texts = webhooksTexts.account;

/** The forms of an account webhook, by name. */
export function WebhookForms({ ids }: { ids: readonly string[] | undefined }) {
  const forms = useQuery({ ...allFormsQuery, enabled: ids !== undefined && ids.length > 0 });
  if (ids === undefined) return texts.allForms;
  if (ids.length === 0) return texts.noForms;
  const names = new Map(forms.data?.map(({ id, name }) => [id, name]));
  return ids.map((formId, index) => (
    <span key={formId}>
      {index > 0 && ', '}
      <TextLink to="/forms/$formId" params={{ formId }}>
        {names.get(formId) ?? formId}
      </TextLink>
    </span>
  ));
}
