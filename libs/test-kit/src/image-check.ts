import type { ContainerRuntimeClient } from 'testcontainers';
import { REAPER_IMAGE } from 'testcontainers/build/reaper/reaper';

type Docker = ContainerRuntimeClient['container']['dockerode'];

/** The check gives up a request to the engine that makes no progress for this long. */
const STALLED_MS = 20_000;

/** What testcontainers runs beside the container that a test starts. */
const HELPER_IMAGES = process.env['TESTCONTAINERS_RYUK_DISABLED'] === 'true' ? [] : [REAPER_IMAGE];

/**
 * Returns a function that tells why tests can't start containers of an image (one line), or `null`
 * when they can. It asks the engine once about each image.
 */
export function createImageCheck(docker: Docker): (image: string) => Promise<string | null> {
  const problems = new Map<string, Promise<string | null>>();
  const problemOf = (image: string) => {
    const problem = problems.get(image) ?? findProblem(docker, image);
    problems.set(image, problem);
    return problem;
  };
  return async (image) => {
    const found = await Promise.all([image, ...HELPER_IMAGES].map(problemOf));
    return found.find((problem) => problem !== null) ?? null;
  };
}

async function findProblem(docker: Docker, image: string): Promise<string | null> {
  const isPresent = () => docker.getImage(image).inspect();
  try {
    await isPresent().catch(() =>
      // The manifest is enough: the first test that needs the image pulls it. Engines that can't
      // read manifests, such as those that only know a mirror, may still pull.
      readManifest(docker, image).catch(() => pull(docker, image).then(isPresent)),
    );
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The reason becomes a part of a test's title, between brackets.
    const inTitle = message.replaceAll('[', '(').replaceAll(']', ')').replaceAll(/\s+/g, ' ').trim();
    return `the container engine can't pull ${image}: ${inTitle}`;
  }
}

function readManifest(docker: Docker, image: string): Promise<unknown> {
  return untilStalled(() => docker.getImage(image).distribution());
}

function pull(docker: Docker, image: string): Promise<void> {
  return untilStalled(async (onProgress, abortSignal) => {
    const progress = await docker.pull(image, { abortSignal });
    await new Promise<void>((resolve, reject) => {
      docker.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()), onProgress);
    });
  });
}

/** Rejects when `work` neither ends nor calls `onProgress` for a while. */
async function untilStalled<T>(
  work: (onProgress: () => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stalled = new AbortController();
  const giveUp = () => stalled.abort();
  let timer = setTimeout(giveUp, STALLED_MS);
  const onProgress = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, STALLED_MS);
  };
  const tooLate = new Promise<never>((_, reject) => {
    stalled.signal.addEventListener('abort', () =>
      reject(new Error(`no progress for ${STALLED_MS / 1000} s`)),
    );
  });
  try {
    return await Promise.race([work(onProgress, stalled.signal), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
