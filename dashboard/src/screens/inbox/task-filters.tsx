import { NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { allFormsQuery } from '../../api/forms.ts';
import { useMe } from '../../api/session.ts';
import { SearchInput } from '../../components/search-input.tsx';
import { inboxTexts } from '../../texts/inbox.ts';
import type { InboxSearch } from './routes.ts';
import { useAllUsers, useUserName } from '../../api/use-user-name.ts';

const texts = inboxTexts.filters;
const choices = (known: Record<string, string>) =>
  Object.entries(known).map(([value, label]) => ({ value, label }));
const STATUSES = [...choices(inboxTexts.statuses), { value: 'any', label: texts.anyStatus }];
const PRIORITIES = [{ value: '', label: texts.any }, ...choices(inboxTexts.priorities)];
const SORTS = choices(texts.sorts);

/** The filters of the task list. The URL contains them. */
export function TaskFilterInputs() {
  const search = useSearch({ from: '/shell/tasks' });
  const me = useMe();
  const navigate = useNavigate();
  const nameOf = useUserName();
  const [users] = useAllUsers();
  const { assignee, templateId } = search;
  // Active filters are visible at the start; the user can open and close them.
  const [isNarrowed] = useState(
    Boolean(search.priority || search.assignee || search.templateId || search.sort),
  );
  const [isOpen, setIsOpen] = useState(isNarrowed);
  const forms = useQuery({ ...allFormsQuery, enabled: isOpen });
  // A link may filter by a form or a person that isn't among the choices.
  const formChoices = (forms.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isFormKnown = formChoices.some(({ value }) => value === templateId);
  const userChoices = users
    .filter(({ id }) => id !== me.id)
    .map(({ id, name }) => ({ value: id, label: name }));
  const isUserKnown = assignee === me.id || userChoices.some(({ value }) => value === assignee);
  const set = (change: { [K in keyof InboxSearch]?: string | undefined }) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value);
    void navigate({ to: '/tasks', search: Object.fromEntries(next) as InboxSearch, replace: true });
  };
  return (
    <Stack gap="xs">
      <SearchInput label={inboxTexts.search} value={search.q ?? ''} onSearch={(q) => set({ q })} />
      <NativeSelect
        label={texts.status}
        data={STATUSES}
        value={search.status ?? 'awaiting'}
        onChange={({ currentTarget: { value } }) => set({ status: value === 'awaiting' ? '' : value })}
      />
      <details
        className="inbox-filters"
        open={isNarrowed}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary>{texts.more}</summary>
        <SimpleGrid cols={2} spacing="xs" verticalSpacing="xs" pt="xs">
          <NativeSelect
            label={texts.priority}
            data={PRIORITIES}
            value={search.priority ?? ''}
            onChange={({ currentTarget: { value } }) => set({ priority: value })}
          />
          <NativeSelect
            label={texts.assignee}
            data={[
              { value: '', label: texts.anybody },
              { value: me.id, label: texts.me },
              ...userChoices,
              ...(assignee && !isUserKnown ? [{ value: assignee, label: nameOf(assignee) }] : []),
            ]}
            value={search.assignee ?? ''}
            onChange={({ currentTarget: { value } }) => set({ assignee: value })}
          />
          <NativeSelect
            label={texts.form}
            data={[
              { value: '', label: texts.any },
              ...formChoices,
              ...(templateId && !isFormKnown
                ? [{ value: templateId, label: forms.isSuccess ? texts.unknownForm : '…' }]
                : []),
            ]}
            value={search.templateId ?? ''}
            onChange={({ currentTarget: { value } }) => set({ templateId: value })}
          />
          <NativeSelect
            label={texts.sort}
            data={SORTS}
            value={search.sort ?? 'createdAt'}
            onChange={({ currentTarget: { value } }) => set({ sort: value === 'createdAt' ? '' : value })}
          />
        </SimpleGrid>
      </details>
    </Stack>
  );
}
