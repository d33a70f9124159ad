import { errors } from './errors.ts'

/** As many requests as a live account of Stripe may make in a second. */
const mostPerSecond = 100

export type Arrival = { method: string; path: string; account: string; key: string | undefined }

export type Traffic = {
  /** @throws 429 `rate_limit` for a request too many within a second of real time. */
  count: (nowMs: number) => void
  /** @throws 429 `rate_limit` while requests are refused. */
  pass: () => void
  /**
   * Notes a request that runs, until the returned function is called.
   * @throws 409 when its idempotency key runs already, 429 `lock_timeout` when another changes the same object.
   */
  enter: (arrival: Arrival) => () => void
  /** Holds back every answer from now on. @returns what lets them through. */
  hold: () => () => void
  /** Refuses every request from now on. @returns what lets them through. */
  refuse: () => () => void
  /** Resolves when answers aren't held back. */
  open: () => Promise<void> | undefined
}

/** What runs at the same time. A request is done when it is answered, so holding answers back makes requests meet. */
export function watchTraffic(): Traffic {
  const running = new Set<string>()
  let second = 0
  let inSecond = 0
  let isRefusing = false
  let gate: PromiseWithResolvers<void> | undefined
  return {
    count: (nowMs) => {
      const current = Math.floor(nowMs / 1000)
      if (current !== second) inSecond = 0
      second = current
      inSecond += 1
      if (inSecond > mostPerSecond) throw errors.rateLimit()
    },
    pass: () => {
      if (isRefusing) throw errors.rateLimit()
    },
    enter: ({ method, path, account, key }) => {
      const object = method === 'GET' ? undefined : changedBy(path)
      if (key && running.has(`key ${account} ${key}`)) throw errors.keyInUse(key)
      if (object && running.has(object)) throw errors.lockTimeout()
      const names = [...(key ? [`key ${account} ${key}`] : []), ...(object ? [object] : [])]
      for (const name of names) running.add(name)
      return () => {
        for (const name of names) running.delete(name)
      }
    },
    hold: () => {
      gate ??= Promise.withResolvers<void>()
      return () => {
        gate?.resolve()
        gate = undefined
      }
    },
    refuse: () => {
      isRefusing = true
      return () => {
        isRefusing = false
      }
    },
    open: () => gate?.promise,
  }
}

/** The object that a request changes, by the beginning of its path: `/v1/transfers/tr_1` of `/v1/transfers/tr_1/reversals`. */
const changedBy = (path: string): string | undefined => /^\/v1\/(?:[a-z_]+\/){1,2}[a-z]+_\w{14,}/.exec(path)?.[0]
