export type WorkOptions = {
  /** The account or address that the work is for. Absent: the server itself, which only the lanes limit. */
  readonly key?: string | undefined
}

/**
 * Runs a task when its turn comes. The signal ends it early: its caller is answered at once, while its lane
 * stays taken until the task has really ended.
 * @throws the lanes' errors: when too many tasks of this key wait, when too many wait in total, and when it times out.
 */
export type WorkQueue = <Result>(
  task: (signal: AbortSignal) => Promise<Result>,
  options?: WorkOptions,
) => Promise<Result>

/** What callers get whose tasks don't run. */
export type WorkErrors = {
  /** Too many tasks of their own wait; others are still served. */
  readonly tooMany: () => Error
  /** Too many tasks wait in total. */
  readonly busy: () => Error
  /** The task took longer than `deadlineMs`. */
  readonly tooSlow: () => Error
}

type Kind = {
  /** How many tasks of this kind run at once. */
  readonly lanes: number
  readonly maxWaiting: number
  /** How many tasks of one key run at once. */
  readonly lanesPerKey?: number
  readonly maxWaitingPerKey?: number
  /** How long tasks of one key may run without a pause. From then on, the key pauses for as long as each of its tasks took. */
  readonly burstMsPerKey?: number
  readonly deadlineMs?: number
}

type Waiting = { readonly kind: KindState; readonly key: string | undefined; readonly start: () => void }
/** @property owedUntil when the pauses that the key owes end: a time of `performance.now()`. */
type KeyState = { working: number; waiting: number; owedUntil: number }
type KindState = Kind & { working: number; waiting: number; readonly keys: Map<string, KeyState> }

/**
 * Lanes that several kinds of work share. However much work of one kind waits, the other kinds and other users still get lanes.
 * @param lanes how many tasks run at once. libvips borrows the threads that also read files, so leave some.
 */
export class WorkLanes {
  readonly #lanes: number
  readonly #errors: WorkErrors
  readonly #waiting: Waiting[] = []
  #working = 0

  constructor(lanes: number, errors: WorkErrors) {
    this.#lanes = lanes
    this.#errors = errors
  }

  queue(kind: Kind): WorkQueue {
    const state: KindState = { ...kind, working: 0, waiting: 0, keys: new Map() }
    return async (task, { key } = {}) => {
      await this.#turn(state, key)
      const startedAt = performance.now()
      const { promise, end } = withDeadline(task, kind.deadlineMs, this.#errors.tooSlow)
      void end.finally(() => this.#leave(state, key, performance.now() - startedAt))
      return promise
    }
  }

  #turn(kind: KindState, key: string | undefined): Promise<void> {
    const { maxWaiting, maxWaitingPerKey = maxWaiting } = kind
    const { promise, resolve } = Promise.withResolvers<void>()
    const entry = { kind, key, start: resolve }
    if (this.#mayStart(entry)) {
      this.#start(entry)
      return promise
    }
    const ofKey = key === undefined ? 0 : (kind.keys.get(key)?.waiting ?? 0)
    if (ofKey >= maxWaitingPerKey) return Promise.reject(this.#errors.tooMany())
    if (kind.waiting >= maxWaiting) return Promise.reject(this.#errors.busy())
    this.#waiting.push(entry)
    count(kind, key, 'waiting', 1)
    return promise
  }

  #mayStart({ kind, key }: Waiting): boolean {
    if (this.#working >= this.#lanes || kind.working >= kind.lanes) return false
    const ofKey = key === undefined ? undefined : kind.keys.get(key)
    return !ofKey || (ofKey.working < (kind.lanesPerKey ?? kind.lanes) && pauseMs(kind, ofKey) === 0)
  }

  #start({ kind, key, start }: Waiting) {
    this.#working += 1
    count(kind, key, 'working', 1)
    start()
  }

  #leave(kind: KindState, key: string | undefined, tookMs: number) {
    this.#working -= 1
    const ofKey = key === undefined ? undefined : kind.keys.get(key)
    if (ofKey && kind.burstMsPerKey !== undefined) {
      // The work and a pause as long as it, after what is still owed.
      const now = performance.now()
      ofKey.owedUntil = Math.max(ofKey.owedUntil, now - tookMs) + 2 * tookMs
      const ms = pauseMs(kind, ofKey)
      if (ms > 0) setTimeout(() => this.#startNext(), ms + 1) // a timer may be a fraction of a millisecond early
    }
    count(kind, key, 'working', -1)
    this.#startNext()
  }

  #startNext() {
    const index = this.#waiting.findIndex((entry) => this.#mayStart(entry))
    const [next] = index === -1 ? [] : this.#waiting.splice(index, 1)
    if (!next) return
    count(next.kind, next.key, 'waiting', -1)
    this.#start(next)
  }
}

function count(kind: KindState, key: string | undefined, what: 'working' | 'waiting', change: 1 | -1) {
  kind[what] += change
  if (key === undefined) return
  const ofKey = kind.keys.get(key) ?? { working: 0, waiting: 0, owedUntil: 0 }
  ofKey[what] += change
  kind.keys.set(key, ofKey)
  forget(kind, key)
}

/** Drops the state of a key that has no task, as soon as it owes no pause. */
function forget(kind: KindState, key: string) {
  const ofKey = kind.keys.get(key)
  if (!ofKey || ofKey.working + ofKey.waiting > 0) return
  const owedMs = ofKey.owedUntil - performance.now()
  if (owedMs <= 0) kind.keys.delete(key)
  else setTimeout(() => forget(kind, key), owedMs + 1).unref()
}

/** How long a key pauses before its next task. */
function pauseMs({ burstMsPerKey = 0 }: Kind, { owedUntil }: KeyState): number {
  return Math.max(0, Math.ceil(owedUntil - performance.now() - burstMsPerKey))
}

/** @returns the caller's result, and the task's actual end, which may be later. */
function withDeadline<Result>(
  task: (signal: AbortSignal) => Promise<Result>,
  deadlineMs: number | undefined,
  tooSlow: () => Error,
) {
  const ending = new AbortController()
  const timer = deadlineMs === undefined ? undefined : setTimeout(() => ending.abort(tooSlow()), deadlineMs)
  const work = task(ending.signal)
  const end = work.then(
    () => clearTimeout(timer),
    () => clearTimeout(timer),
  )
  const cut = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true })
  })
  return { promise: Promise.race([work, cut]), end }
}

/** One kind of work with its own lanes. */
export const buildWorkQueue = (kind: Kind, errors: WorkErrors): WorkQueue =>
  new WorkLanes(kind.lanes, errors).queue(kind)
