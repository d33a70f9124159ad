import { vaultTexts } from '@ovation/contract/texts/vault'
import { fileNameOf } from '../../domain/vault/file-name.ts'
import { readyFiles } from '../../domain/vault/queries.ts'
import type { PickedFile } from '../../domain/vault/vault-picker.tsx'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { sized } from '../../lib/media/media-links.ts'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { toast } from '../../ui/toast.ts'

/** Makes files of the vault ready to be sent. @returns none if that failed; the error has been shown. */
export async function attachFromVault(picked: PickedFile[]) {
  try {
    const paths = await readyFiles(
      'messages',
      picked.map(({ file }) => file.id),
    )
    return picked.flatMap(({ file, link }, index) => {
      const path = paths[index]
      if (path === undefined) return []
      const preview = link ? sized(link, 480) : ''
      const control = new UploadControl()
      return [
        { id: crypto.randomUUID(), name: fileNameOf(file), type: file.kind, preview, progress: 100, path, control },
      ]
    })
  } catch (error) {
    toast.error(errorMessageOf(error), vaultTexts.picker.failed)
    return []
  }
}
