import { vaultUploadsTexts } from '@ovation/contract/texts/vault'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { refusalOf, withType } from '../composer/file-rules.ts'
import { uploadErrorMessage } from '../composer/upload-error-message.ts'

export type QueuedFile = {
  id: string
  file: File
  state: 'waiting' | 'checking' | 'uploading' | 'paused' | 'done' | 'known' | 'failed'
  /** Percent. */
  progress: number
  /** Why it failed. */
  error?: string
  /** It can't be uploaded, however often it is tried. */
  hopeless?: true
}

/** What the queue needs from outside. */
export type UploadSteps = {
  /** SHA-256, in hex. */
  hash: (file: File) => Promise<string>
  /** Whether the vault has a file with this hash. */
  isKnown: (hash: string) => Promise<boolean>
  /** @throws UploadError */
  upload: (
    file: File,
    userId: string,
    options: { control: UploadControl; onProgress: (percent: number) => void },
  ) => Promise<unknown>
  /** Resolves at once, or when the device is online again. */
  online: () => Promise<void>
  /** Resolves when the server may take more: it processes a limited number of videos of one account. */
  untilLater: () => Promise<void>
}

/** More uploads would share the same bandwidth and finish no sooner. */
const parallel = 3

/** Uploads files to the viewer's vault, three at a time (VAULT-03). It belongs to no screen, so uploads go on while the viewer moves about. */
export class UploadQueue {
  readonly #steps: UploadSteps
  readonly #listeners = new Set<() => void>()
  /** Of files that are being uploaded, or paused meanwhile. */
  readonly #controls = new Map<string, UploadControl>()
  #files: readonly QueuedFile[] = []
  #userId = ''

  constructor(steps: UploadSteps) {
    this.#steps = steps
  }

  /** The files in the order in which they were added. A new array after each change. */
  readonly list = (): readonly QueuedFile[] => this.#files

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Files that can't be uploaded are listed with the reason, and don't keep the others back. */
  add(files: readonly File[], userId: string): void {
    this.#userId = userId
    const added = files.map(withType).map((file): QueuedFile => {
      const refusal = refusalOf([file], 0)
      return {
        id: crypto.randomUUID(),
        file,
        progress: 0,
        ...(refusal ? { state: 'failed', error: refusal.message, hopeless: true } : { state: 'waiting' }),
      }
    })
    this.#update([...this.#files, ...added])
    this.#startNext()
  }

  /** A paused file gives its place to the next one. */
  pause(...ids: string[]): void {
    for (const { id, state } of this.#named(ids)) {
      if (!['waiting', 'checking', 'uploading'].includes(state)) continue
      this.#controls.get(id)?.setPaused(true)
      this.#change(id, { state: 'paused' })
    }
    this.#startNext()
  }

  resume(...ids: string[]): void {
    for (const { id, state } of this.#named(ids)) {
      if (state !== 'paused') continue
      const control = this.#controls.get(id)
      this.#change(id, { state: control ? 'uploading' : 'waiting' })
      control?.setPaused(false)
    }
    this.#startNext()
  }

  retry(...ids: string[]): void {
    for (const { id, state, hopeless } of this.#named(ids))
      if (state === 'failed' && !hopeless) this.#change(id, { state: 'waiting', progress: 0 })
    this.#startNext()
  }

  /** Also takes a file that is done off the list. */
  cancel(...ids: string[]): void {
    const gone = new Set(ids)
    this.#update(this.#files.filter(({ id }) => !gone.has(id)))
    for (const id of ids) this.#controls.get(id)?.cancel()
    this.#startNext()
  }

  clear(): void {
    this.cancel(...this.#files.map(({ id }) => id))
  }

  #startNext(): void {
    for (;;) {
      const running = this.#files.filter(({ state }) => state === 'checking' || state === 'uploading').length
      const next = this.#files.find(({ state }) => state === 'waiting')
      if (!next || running >= parallel) return
      void this.#upload(next)
    }
  }

  async #upload({ id, file }: QueuedFile): Promise<void> {
    const control = new UploadControl()
    const { hash, isKnown, upload, online, untilLater } = this.#steps
    this.#controls.set(id, control)
    this.#change(id, { state: 'checking', progress: 0 })
    try {
      const known = await isKnown(await hash(file))
      await control.resumed()
      if (control.signal.aborted) return
      if (known) return this.#change(id, { state: 'known', progress: 100 })
      this.#change(id, { state: 'uploading' })
      for (let isStored = false; !isStored; ) {
        await online()
        isStored = await upload(file, this.#userId, {
          control,
          onProgress: (progress) => this.#change(id, { progress }),
        }).then(
          () => true,
          async (error: unknown) => {
            if (control.signal.aborted || !isForLater(error)) throw error
            await untilLater()
            return false
          },
        )
      }
      this.#change(id, { state: 'done', progress: 100 })
    } catch (error) {
      if (!control.signal.aborted) this.#change(id, { state: 'failed', error: messageOf(error, file) })
    } finally {
      this.#controls.delete(id)
      this.#startNext()
    }
  }

  #named(ids: readonly string[]): readonly QueuedFile[] {
    const named = new Set(ids)
    return this.#files.filter(({ id }) => named.has(id))
  }

  #change(id: string, part: Partial<QueuedFile>): void {
    this.#update(this.#files.map((each) => (each.id === id ? { ...each, ...part } : each)))
  }

  #update(files: readonly QueuedFile[]): void {
    this.#files = files
    for (const listener of [...this.#listeners]) listener()
  }
}

const isForLater = (error: unknown): boolean =>
  error instanceof UploadError && error.failure.kind === 'refused' && error.failure.status === 429

const messageOf = (error: unknown, { name }: File): string =>
  error instanceof UploadError ? uploadErrorMessage(error, name) : vaultUploadsTexts.failed
