import { commonTexts } from '@ovation/contract/texts/common'

export type UploadFailure =
  /** No answer came. */
  | { kind: 'network' }
  /** Not a byte moved for a minute. */
  | { kind: 'timeout' }
  /** The screen was left. */
  | { kind: 'aborted' }
  /** The storage's answer (API-STO-20); `status` is its own `statusCode`, for its HTTP status is 400 whatever the reason. */
  | { kind: 'refused'; status: number; message?: string }

/** Why a file did not arrive. `message` is a sentence for people. */
export class UploadError extends Error {
  readonly failure: UploadFailure

  constructor(failure: UploadFailure) {
    super((failure.kind === 'refused' && failure.message) || commonTexts.offline)
    this.name = 'UploadError'
    this.failure = failure
  }

  /** The name is taken; another one is free (API-STO-01). */
  get isDuplicate(): boolean {
    const { failure } = this
    return failure.kind === 'refused' && (failure.status === 409 || /already exists|duplicate/i.test(this.message))
  }
}
