import { Button, FileButton } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.layer.css'
import { vaultUploadsMax } from '@ovation/contract/limits'
import { vaultUploadsTexts as texts } from '@ovation/contract/texts/vault'
import { IconUpload } from '@tabler/icons-react'
import { vaultUploads } from '../../domain/vault-uploads/vault-uploads.ts'
import { toast } from '../../ui/toast.ts'
import classes from './upload-to-vault.module.css'

/** Chooses files for the vault, or takes what is dropped anywhere on the screen (VAULT-03). The uploads appear in the tray. */
export default function UploadToVault({ userId }: { userId: string }) {
  const add = (files: File[]) => {
    if (files.length > vaultUploadsMax) return toast.error(texts.tooMany(vaultUploadsMax))
    vaultUploads.add(files, userId)
  }
  return (
    <>
      <FileButton
        onChange={add}
        accept="image/*,video/*,.heic,.heif"
        multiple
        inputProps={{ 'aria-label': texts.choose }}
      >
        {(props) => (
          <Button {...props} leftSection={<IconUpload size={18} stroke={1.6} />}>
            {texts.open}
          </Button>
        )}
      </FileButton>
      {/* Accepts any file: the tray says which of them can't be stored, and why. */}
      <Dropzone.FullScreen onDrop={add} className={classes.drop ?? ''}>
        <IconUpload size={32} stroke={1.5} aria-hidden="true" />
        <p>{texts.drop}</p>
      </Dropzone.FullScreen>
    </>
  )
}
