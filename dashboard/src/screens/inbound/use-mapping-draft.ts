import type { FieldMapping, InboundOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inboundListQuery, updateInbound } from '../../api/inbound.ts';

/** The edited field mapping. A save finds out whether somebody else has saved another one since. */
export function useMappingDraft(
  endpoint: InboundOut,
  {
    onSaved,
    onEdited,
    onDiscard,
  }: {
    onSaved: (endpoint: InboundOut) => void;
    onEdited: ((isEdited: boolean) => void) | undefined;
    onDiscard: () => void;
  },
) {
  const queryClient = useQueryClient();
  const saved: FieldMapping = endpoint.fieldMapping;
  // Unsaved changes survive another user's save.
  const [draft, setDraft] = useState<{ mapping: FieldMapping; basedOn: FieldMapping } | null>(null);
  const { mapping, basedOn } = draft ?? { mapping: saved, basedOn: saved };
  const [isConflict, setConflict] = useState(false);
  const save = useMutation({
    /** Returns null after a conflict. The API replaces the mapping as a whole. */
    async mutationFn({ overwrites }: { overwrites: boolean }) {
      if (!overwrites) {
        const query = { ...inboundListQuery(endpoint.formId), staleTime: 0 };
        const latest = (await queryClient.fetchQuery(query)).find(({ id }) => id === endpoint.id);
        if (latest && !isSame(latest.fieldMapping, basedOn)) return null;
      }
      return updateInbound(endpoint, { fieldMapping: { ...mapping } });
    },
    meta: { showsError: true },
    onMutate: () => setConflict(false),
    onSuccess(changed) {
      setConflict(changed === null);
      if (!changed) return;
      discard();
      onSaved(changed);
    },
  });

  function discard(): void {
    setDraft(null);
    setConflict(false);
    onDiscard();
    onEdited?.(false);
  }

  return {
    mapping,
    setMapping: (changed: FieldMapping) => {
      setDraft({ mapping: changed, basedOn });
      onEdited?.(true);
    },
    isDirty: !isSame(mapping, saved),
    save,
    isConflict,
    setConflict,
    discard,
  };
}

const isSame = (one: FieldMapping, other: FieldMapping) =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (mapping: FieldMapping) =>
  Object.entries(mapping).sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
