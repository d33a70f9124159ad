import { vaultTexts } from '@ovation/contract/texts/vault'
import type { ChosenFile } from '../../domain/messages/saved-replies.ts'
import { fileNameOf } from '../../domain/vault/file-name.ts'
import { readyFiles } from '../../domain/vault/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { sized } from '../../lib/media/media-links.ts'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { toast } from '../../ui/toast.ts'

/** Makes files of the vault ready to be sent. @returns none if that failed; the error has been shown. */
export async function attachFromVault(picked: ChosenFile[]) {
  try {
    const paths = await readyFiles(
      'messages',
      picked.map(({ file }) => file.id),
    )
    return picked.flatMap(({ file, link }, index) => {
      const path = paths[index]
      if (path === undefined) return []
      // A voice message has no picture: its link plays it.
      const preview = link ? (file.kind === 'audio' ? link : sized(link, 480)) : ''
      const about = file.duration === null || file.duration === undefined ? {} : { duration: file.duration }
      const id = crypto.randomUUID()
      const control = new UploadControl()
      return [
        { id, name: fileNameOf(file), type: file.kind, preview, progress: 100, path, control, about, fileId: file.id },
      ]
    })
  } catch (error) {
    toast.error(errorMessageOf(error), vaultTexts.picker.failed)
    return []
  }
}
