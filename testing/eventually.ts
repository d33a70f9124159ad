import { vi } from 'vitest'

/**
 * Repeats `check` until it passes; on a busy machine, that may take a while. Vitest's own default is a second.
 *
 * @returns what `check` returned.
 * @throws what `check` threw last, after 20 seconds.
 */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 20_000 })
