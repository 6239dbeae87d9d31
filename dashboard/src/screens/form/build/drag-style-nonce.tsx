import { useDragDropManager } from '@dnd-kit/react';
import { useLayoutEffect } from 'react';
import { nonce } from '../../../app/nonce.ts';

/** The drag library's own styles carry the page's nonce. The plugin that makes them has no other way in. */
export function DragStyleNonce() {
  const manager = useDragDropManager();
  useLayoutEffect(() => {
    for (const plugin of manager?.plugins ?? []) {
      if ('addRoot' in plugin) plugin.configure({ nonce });
    }
  }, [manager]);
  return null;
}
