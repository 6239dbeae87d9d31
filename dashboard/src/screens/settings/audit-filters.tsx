import { Select } from '@mantine/core';
import type { AuditEntryOut } from '@svcforms/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { agentListQuery } from '../../api/agents.ts';
import { createdQuery } from '../../api/audit-log.ts';
import { allFormsQuery } from '../../api/forms.ts';
import { allGroupsQuery } from '../../api/groups.ts';
import { keyListQuery } from '../../api/keys.ts';
import { useHasScope } from '../../api/session.ts';
import { useAllPages } from '../../api/use-all-pages.ts';
import { userListQuery } from '../../api/users.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { idText, targetForm, targetText } from './audit-words.ts';

const texts = settingsTexts.audit;
/** More matches need a longer text. */
const MAX_SHOWN = 100;
const ID = /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/;

interface Choice {
  value: string;
  label: string;
}

interface FilterProps {
  value: string | undefined;
  /** The name of an id that isn't among the choices, if the entries have it. */
  nameOf: (id: string) => string | undefined;
  onChange: (id: string) => void;
}

/** Filters by who made the changes. */
export function ActorFilter(props: FilterProps) {
  const groups = usePeople();
  return <IdSelect {...props} label={texts.actor} placeholder={texts.anyActor} groups={groups} />;
}

/**
 * Filters by what was changed. What has no list to choose from can be pasted, or clicked in the
 * log.
 */
export function TargetFilter(props: FilterProps) {
  const people = usePeople();
  const forms = useQuery({ ...allFormsQuery, enabled: useHasScope('forms:read') });
  const groups = useQuery({ ...allGroupsQuery, enabled: useHasScope('users:manage') });
  // Each of these is a page of the log with its targets, which most visits of the screen don't
  // need.
  const [enabled, setEnabled] = useState(false);
  const webhooks = useQuery({ ...createdQuery('webhook.created'), enabled });
  const endpoints = useQuery({ ...createdQuery('inbound.created'), enabled });
  const tasks = useQuery({ ...createdQuery('task.created'), enabled });
  return (
    <IdSelect
      {...props}
      label={texts.target}
      placeholder={texts.anyTarget}
      onOpen={() => setEnabled(true)}
      groups={[
        { group: texts.forms, items: choicesOf(forms.data ?? []) },
        ...people,
        { group: texts.groups, items: choicesOf(groups.data ?? []) },
        { group: texts.webhooks, items: targetsOf(webhooks.data ?? []) },
        { group: texts.endpoints, items: targetsOf(endpoints.data ?? []) },
        { group: texts.tasks, items: targetsOf(tasks.data ?? []) },
      ]}
    />
  );
}

/** Users, API keys and agents, as far as the user may see them. */
function usePeople() {
  const mayManageUsers = useHasScope('users:manage');
  const mayManageKeys = useHasScope('keys:manage');
  const [users] = useAllPages(useInfiniteQuery({ ...userListQuery, enabled: mayManageUsers }));
  const [keys] = useAllPages(useInfiniteQuery({ ...keyListQuery, enabled: mayManageKeys }));
  const [agents] = useAllPages(useInfiniteQuery(agentListQuery));
  const named = users.map(({ id, name, email }) => ({ id, name: `${name} (${email})` }));
  return [
    { group: texts.people, items: choicesOf(named) },
    { group: texts.keys, items: choicesOf(keys) },
    { group: texts.agents, items: choicesOf(agents) },
  ];
}

const choicesOf = (all: readonly { id: string; name: string }[]): Choice[] =>
  all.map(({ id, name }) => ({ value: id, label: name }));

/** Resources whose names don't tell them apart without their form. */
const targetsOf = (entries: readonly AuditEntryOut[]): Choice[] =>
  entries.flatMap((entry) => {
    const { target, resource } = entry;
    const label = [targetText(target, resource), targetForm(entry)].filter(Boolean).join(' · ');
    return target.id === null ? [] : { value: target.id, label };
  });

function IdSelect({
  label,
  placeholder,
  groups,
  value = '',
  nameOf,
  onChange,
  onOpen,
}: FilterProps & {
  label: string;
  placeholder: string;
  onOpen?: () => void;
  groups: readonly { group: string; items: Choice[] }[];
}) {
  const [text, setText] = useState('');
  const known = new Set(groups.flatMap(({ items }) => items.map((item) => item.value)));
  // A link can have any id; what was deleted has no other way in.
  const others = [...new Set([value, text.trim()])].filter(
    (id) => !known.has(id) && (id === value ? id !== '' : ID.test(id)),
  );
  const byId = others.map((id) => ({ value: id, label: id === value ? (nameOf(id) ?? idText(id)) : id }));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      {...(onOpen && { onDropdownOpen: onOpen })}
      searchValue={text}
      onSearchChange={setText}
      data={[...groups, { group: texts.byId, items: byId }].filter(({ items }) => items.length > 0)}
      nothingFoundMessage={texts.noMatch}
      limit={MAX_SHOWN}
      w="10rem"
      maxLength={200}
      // In the page, so that the options belong to its landmark, and wide enough for names with
      // emails.
      comboboxProps={{ withinPortal: false, width: 260, position: 'bottom-start' }}
      // Tab goes on to the next filter, not into the list.
      openOnFocus={false}
      scrollAreaProps={{ viewportProps: { tabIndex: -1 } }}
      searchable
      clearable
    />
  );
}
