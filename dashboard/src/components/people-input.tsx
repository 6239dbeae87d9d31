import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { allGroupsQuery } from '../api/groups.ts';
import { useAllPages } from '../api/use-all-pages.ts';
import { userListQuery } from '../api/users.ts';
import { idChoices } from './id-choices.ts';

type Props = Omit<MultiSelectProps, 'data' | 'value' | 'onChange'> & {
  value: readonly string[];
  onChange: (ids: string[]) => void;
};

/** Chooses users of the account, by their ids. */
export function UsersInput(props: Props) {
  const [known] = useAllPages(useInfiniteQuery(userListQuery));
  return (
    <IdsInput {...props} known={known.map(({ id, name, email }) => ({ id, name: `${name} (${email})` }))} />
  );
}

/** Chooses groups of the account, by their ids. */
export function GroupsInput(props: Props) {
  const groups = useQuery(allGroupsQuery);
  return <IdsInput {...props} known={groups.data ?? []} />;
}

function IdsInput({ known, value, ...props }: Props & { known: readonly { id: string; name: string }[] }) {
  return (
    <MultiSelect
      {...props}
      data={idChoices(known, value)}
      value={[...value]}
      // In the dialog, so that the options belong to its landmark.
      comboboxProps={{ withinPortal: false }}
      // Tab goes on to the next input, not into the list.
      scrollAreaProps={{ viewportProps: { tabIndex: -1 } }}
      searchable
      hidePickedOptions
    />
  );
}
