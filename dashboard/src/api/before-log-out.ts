import { useEffect, useRef } from 'react';

/** What a screen does while there is still a session. Resolves with false if the user stays. */
type Step = () => boolean | Promise<boolean>;

const steps = new Set<Step>();

export function useBeforeLogOut(step: Step): void {
  const latest = useRef(step);
  useEffect(() => {
    latest.current = step;
  });
  useEffect(() => {
    const run = () => latest.current();
    steps.add(run);
    return () => void steps.delete(run);
  }, []);
}

/**
 * Runs the steps of all screens. Returns whether the session, or what the screens show, may end.
 */
export async function mayLogOut(): Promise<boolean> {
  for (const step of steps) if (!(await step())) return false;
  return true;
}
