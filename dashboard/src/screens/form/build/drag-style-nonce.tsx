import { useDragDropManager } from '@dnd-kit/react';
import { useLayoutEffect } from 'react';
import { nonce } from '../../../shell/nonce.ts';

/**
 * Passes the page's nonce to the drag library's styles. Its style plugin has no other option for
 * it.
 */
export function DragStyleNonce() {
  const manager = useDragDropManager();
  useLayoutEffect(() => {
    for (const plugin of manager?.plugins ?? []) {
      if ('addRoot' in plugin) plugin.configure({ nonce });
    }
  }, [manager]);
  return null;
}
