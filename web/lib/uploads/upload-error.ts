import { commonTexts } from '@ovation/contract/texts/common'

export type UploadFailure =
  /** There was no response. */
  | { kind: 'network' }
  /** No bytes moved for a minute. */
  | { kind: 'timeout' }
  /** The screen closed. */
  | { kind: 'aborted' }
  /** The file can't be read anymore. */
  | { kind: 'unreadable' }
  /** The storage API's response (API-STO-20); `status` is its `statusCode`, because its HTTP status is always 400. */
  | { kind: 'refused'; status: number; message?: string }

/** Why an upload failed. `message` is a readable sentence. */
export class UploadError extends Error {
  readonly failure: UploadFailure

  constructor(failure: UploadFailure) {
    super((failure.kind === 'refused' && failure.message) || commonTexts.offline)
    this.name = 'UploadError'
    this.failure = failure
  }

  /** The name is taken; retry with another one (API-STO-01). */
  get isDuplicate(): boolean {
    const { failure } = this
    return failure.kind === 'refused' && (failure.status === 409 || /already exists|duplicate/i.test(this.message))
  }
}
