import { Button } from '@mantine/core'
import { messageFilesMax } from '@ovation/contract/limits'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { IconLibraryPhoto } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { fileNameOf } from '../../../domain/vault/file-name.ts'
import { type MediaLinks, sized } from '../../../lib/media/media-links.ts'
import type { AppForm } from '../../../ui/use-app-form.ts'
import AttachmentTray from '../attachment-tray.tsx'
import classes from './mass-form.module.css'
import { type MassValues, priceOf } from './mass-values.ts'

const VaultPicker = lazy(() => import('../../../domain/vault/vault-picker.tsx'))

type Props = { form: AppForm<MassValues>; links: MediaLinks; readOnly: boolean }

/** The files of the vault that the message has, and which of them is free (MASS-01). */
export function FileFields({ form, links, readOnly }: Props) {
  const [picking, setPicking] = useState(false)
  const { files, previewId } = form.values
  const isPaid = priceOf(form.values) !== null
  return (
    <div className={classes.files}>
      {files.length > 0 && (
        <AttachmentTray
          files={files.map((file) => {
            const link = links.get(file.path)
            return {
              id: file.id,
              name: fileNameOf(file),
              type: file.kind,
              preview: link ? sized(link, 480) : '',
              progress: 100,
              path: file.path,
            }
          })}
          onRemove={(removed) =>
            form.setFieldValue(
              'files',
              files.filter(({ id }) => id !== removed),
            )
          }
          preview={
            isPaid
              ? { id: previewId || undefined, choose: (id) => form.setFieldValue('previewId', id ?? '') }
              : undefined
          }
        />
      )}
      <Button
        variant="default"
        leftSection={<IconLibraryPhoto size={18} stroke={1.6} />}
        disabled={readOnly || files.length >= messageFilesMax}
        onClick={() => setPicking(true)}
      >
        {vaultTexts.picker.open}
      </Button>
      {picking && (
        <Suspense>
          <VaultPicker
            most={messageFilesMax - files.length}
            onPick={(picked) => {
              const added = picked.flatMap(({ file }) => (files.some(({ id }) => id === file.id) ? [] : [file]))
              form.setFieldValue('files', [...files, ...added])
              form.clearFieldError('content')
              const caption = added.find((file) => file.caption)?.caption
              // As in a thread, a message without words begins with the caption of its first file.
              if (caption && !form.values.content.trim()) form.setFieldValue('content', caption)
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </div>
  )
}
