import type { MeOut } from '@svcforms/contracts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { announceUser, setOtherUser, useHasOtherUser, watchOtherTabs } from '../api/other-user.ts';
import { fetchMe } from '../api/session.ts';

const OtherUserDialog = lazy(() =>
  import('./other-user-dialog.tsx').then(
    (module) => ({ default: module.OtherUserDialog }),
    // A changed input must not be lost to an error screen. Changes are refused without the dialog
    // too.
    () => ({ default: () => null }),
  ),
);

/** Keeps this page from saving as another user who has logged in with the same browser. */
export function OtherUserGuard({ me }: { me: MeOut }) {
  // The user whose input this page may have. `me` becomes the other one when it is loaded again.
  const [shown] = useState(me);
  const hasOther = useHasOtherUser();
  useEffect(() => {
    announceUser(shown.id);
    return watchOtherTabs(shown.id, fetchMe);
  }, [shown.id]);
  useEffect(() => setOtherUser(me.id !== shown.id), [me.id, shown.id]);
  return (
    hasOther && (
      <Suspense>
        <OtherUserDialog name={shown.name} />
      </Suspense>
    )
  );
}
