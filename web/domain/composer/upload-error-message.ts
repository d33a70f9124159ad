import { composerTexts } from '@ovation/contract/texts/posts'
import { UploadError } from '../../lib/uploads/upload-error.ts'

const texts = composerTexts.upload

/** The error message for a failed upload, with a suggestion (POST-29..POST-32). */
export function uploadErrorMessage(error: unknown, name: string): string {
  if (!(error instanceof UploadError)) return texts.network(name)
  const { failure } = error
  if (failure.kind === 'timeout') return texts.timeout(name)
  if (failure.kind === 'unreadable') return texts.unreadable(name)
  if (failure.kind !== 'refused') return texts.network(name)
  // Before the status, which is 413, too.
  if (failure.status === 507 || /quota|files can take up to/i.test(error.message)) return texts.quota(name)
  if (failure.status === 413 || /too large|maximum allowed size/i.test(error.message)) return texts.tooLarge(name)
  return texts.refused(name, error.message)
}
