import { composerTexts } from '@ovation/contract/texts/posts'

export type UploadFailure =
  | { kind: 'network' }
  | { kind: 'timeout' }
  | { kind: 'aborted' }
  /** The server's answer: HTTP status, and the storage's own error where it sent one (API-STO-20). */
  | { kind: 'refused'; status: number; error?: string; message?: string }

export class UploadError extends Error {
  readonly failure: UploadFailure
  constructor(failure: UploadFailure) {
    super(failure.kind === 'refused' ? (failure.message ?? `HTTP ${failure.status}`) : failure.kind)
    this.failure = failure
  }

  get isDuplicate(): boolean {
    const { failure } = this
    return failure.kind === 'refused' && (failure.status === 409 || /already exists|duplicate/i.test(this.message))
  }
}

const texts = composerTexts.upload

/** What to tell and what to suggest (POST-29..POST-32). */
export function wordsFor(error: unknown, name: string): string {
  if (!(error instanceof UploadError)) return texts.network(name)
  const { failure } = error
  if (failure.kind === 'timeout') return texts.timeout(name)
  if (failure.kind !== 'refused') return texts.network(name)
  if (failure.status === 413 || /too large|maximum allowed size/i.test(error.message)) return texts.tooLarge(name)
  if (failure.status === 507 || /quota/i.test(error.message)) return texts.quota(name)
  return texts.refused(name, error.message)
}
