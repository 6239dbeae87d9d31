import { NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formListQuery } from '../../api/forms.ts';
import { useContinuedSearch } from '../../api/use-continued-search.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { sampleBody } from '../../components/sample-body.ts';
import { developersTexts } from '../../texts/developers.ts';
import { QUICKSTARTS, type QuickstartLanguage } from './quickstarts.ts';

const texts = developersTexts.quickstart;
const LANGUAGES = Object.keys(QUICKSTARTS) as QuickstartLanguage[];

/** Code that creates a task about a published form of the account. Others have no tasks. */
export function QuickstartPanel({ origin, apiKey }: { origin: string; apiKey: string }) {
  const list = useInfiniteQuery(formListQuery(''));
  const listed = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const forms = listed.filter(({ version }) => version > 0);
  const isSearching = useContinuedSearch(list, forms.length);
  const [formId, setFormId] = useState<string>();
  const [language, setLanguage] = useState<QuickstartLanguage>('curl');
  const form = forms.find(({ id }) => id === formId) ?? forms[0];
  if (list.isPending || isSearching) return <Loading />;
  if (list.isError && !list.data) return <FailureAlert error={list.error} retry={list.refetch} />;
  if (!form) {
    return (
      <>
        <Text>{texts.noForms}</Text>
        <TextLink to="/forms">{texts.createForm}</TextLink>
      </>
    );
  }
  const code = QUICKSTARTS[language]({ origin, apiKey, formId: form.id, prefill: sampleBody(form.fields) });
  return (
    <>
      <Text>{texts.text}</Text>
      <NativeSelect
        label={texts.form}
        value={form.id}
        onChange={({ currentTarget }) => setFormId(currentTarget.value)}
        data={forms.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <MoreButton query={list} label={texts.moreForms} />
      <CodeBlock title={texts.formId} code={form.id} />
      <SegmentedControl
        aria-label={texts.language}
        value={language}
        data={LANGUAGES}
        onChange={(chosen) => setLanguage(chosen as QuickstartLanguage)}
        style={{ alignSelf: 'flex-start' }}
      />
      <CodeBlock title={language} code={code} />
      <TextLink to="/tasks">{texts.inbox}</TextLink>
    </>
  );
}
