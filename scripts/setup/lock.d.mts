/** Takes the lock file for this process, also from a process that is dead. Or says which living process holds it. */
export function tryLock(
  file: string,
): { release: () => void; holder?: undefined } | { release?: undefined; holder: number }

/** Waits for the lock; `onWait` is called once when it has to. Gives the function that releases it. */
export function lock(file: string, onWait: (holder: number) => void): Promise<() => void>
