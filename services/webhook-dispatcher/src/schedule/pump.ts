import type { Holding } from './holdings.ts';
import type { PlaceOwner, Places, Release } from './places.ts';

export interface Pump {
  /** Starts as much as there are places for. Call it whenever there may be something to start. */
  wake(): void;
  /** Starts nothing more, and resolves when what is under way has ended, or after `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

export interface PumpDeps {
  places: Places<Holding>;
  /** Calls `leave` as soon as the listener is done with it: the place is free then, before the result is stored. */
  deliver: (holding: Holding, leave: (release: Release) => void) => Promise<void>;
  /** Never rejects. */
  refill: (owner: PlaceOwner) => Promise<void>;
  onError: (error: unknown, holding: Holding) => void;
}

/** Turns free places into attempts. */
export function createPump(deps: PumpDeps): Pump {
  const { places, deliver, refill, onError } = deps;
  const underWay = new Set<Promise<void>>();
  let isOpen = true;
  let isPumping = false;

  function wake(): void {
    if (isPumping) return;
    isPumping = true;
    while (isOpen) {
      const work = places.next();
      if (!work) break;
      const ending = work.kind === 'run' ? run(work.item) : refill(work);
      underWay.add(ending);
      void ending.then(() => underWay.delete(ending));
    }
    isPumping = false;
  }

  async function run(holding: Holding): Promise<void> {
    let hasLeft = false;
    const leave = (release: Release) => {
      if (hasLeft) return;
      hasLeft = true;
      places.release(holding.slot, release);
      wake();
    };
    try {
      await deliver(holding, leave);
    } catch (error) {
      onError(error, holding);
    }
    leave('unused');
  }

  return {
    wake,
    async stop(withinMs) {
      isOpen = false;
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
      await Promise.race([Promise.all(underWay), tooLate]);
      clearTimeout(timer);
    },
  };
}
