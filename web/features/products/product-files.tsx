import { Button } from '@mantine/core'
import { productLinkSeconds } from '@ovation/contract/limits'
import { productTexts } from '@ovation/contract/texts/products'
import { IconDownload, IconFile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ProductFile } from '../../domain/products/queries.ts'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { storage } from '../../lib/api/storage.ts'
import { formatBytes } from '../../lib/format/format-number.ts'
import { toast } from '../../ui/toast.ts'
import classes from './product-screen.module.css'

const texts = productTexts.page

/** The files of a product: to download for its creator and buyers, otherwise their formats and sizes. */
export function ProductFiles({ files }: { files: readonly ProductFile[] }) {
  if (files.length === 0) return null
  const bytes = files.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  return (
    <section aria-labelledby="files-title">
      <h2 id="files-title" className={classes.heading}>
        {texts.included}
      </h2>
      <p className={classes.hint}>
        {texts.files(files.length)}, {formatBytes(bytes)}
      </p>
      <ul className={`surface ${classes.files}`}>
        {files.map((file, place) => (
          <li key={file.path ?? place} className={classes.file}>
            <IconFile size={22} stroke={1.4} aria-hidden="true" />
            <div className={classes.fileWords}>
              <span className={classes.fileName} dir="auto">
                {file.name ?? texts.file(file.format ?? null)}
              </span>
              <span className={classes.hint}>
                {formatBytes(file.size_bytes)}
                {file.is_earlier && ` · ${texts.earlier}`}
              </span>
            </div>
            {file.path && file.name && <Download path={file.path} name={file.name} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Follows a signed link, with which the browser also resumes an interrupted download. */
function Download({ path, name }: { path: string; name: string }) {
  const sign = useMutation({
    mutationFn: async () => {
      const { data, error } = await storage().from('products').createSignedUrl(path, productLinkSeconds)
      if (error) throw error
      // The client would encode the name twice.
      return `${data.signedUrl}&download=${encodeURIComponent(name)}`
    },
    onSuccess: (url) => {
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.click()
    },
    onError: (error) => toast.error(errorMessageOf(error), texts.downloadFailed),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
      aria-label={texts.downloadNamed(name)}
      loading={sign.isPending}
      onClick={() => sign.mutate()}
    >
      {texts.download}
    </Button>
  )
}
