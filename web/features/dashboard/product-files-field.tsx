import { ActionIcon, Button, CloseButton, FileButton, Input, Progress } from '@mantine/core'
import { productTexts } from '@ovation/contract/texts/products'
import { IconFile, IconRefresh, IconUpload } from '@tabler/icons-react'
import { useRef } from 'react'
import { formatBytes } from '../../lib/format/format-number.ts'
import classes from './products-tab.module.css'
import type { FormFile, useProductFiles } from './use-product-files.ts'

const texts = productTexts.form.files

type Props = {
  files: ReturnType<typeof useProductFiles>
  error: string | undefined
  isSold: boolean
  disabled: boolean
}

/** The files of a product, with their uploads. */
export function ProductFilesField({ files: { files, add, remove, retry }, error, isSold, disabled }: Props) {
  const reset = useRef<() => void>(null)
  const choose = (chosen: File[]) => {
    reset.current?.() // allows choosing the same file again
    add(chosen)
  }
  return (
    <Input.Wrapper
      label={texts.label}
      description={isSold ? `${texts.hint} ${texts.kept}` : texts.hint}
      error={error}
      labelElement="div"
    >
      {files.length > 0 && (
        <ul className={classes.files}>
          {files.map((file) => (
            <Row
              key={file.key}
              file={file}
              disabled={disabled}
              onRemove={() => remove(file.key)}
              onRetry={() => retry(file)}
            />
          ))}
        </ul>
      )}
      <FileButton
        multiple
        onChange={choose}
        resetRef={reset}
        disabled={disabled}
        inputProps={{ 'aria-label': texts.label }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            mt="xs"
            leftSection={<IconUpload size={17} stroke={1.75} aria-hidden="true" />}
          >
            {texts.add}
          </Button>
        )}
      </FileButton>
    </Input.Wrapper>
  )
}

type RowProps = { file: FormFile; disabled: boolean; onRemove: () => void; onRetry: () => void }

function Row({ file: { name, size, path, progress }, disabled, onRemove, onRetry }: RowProps) {
  const failed = progress < 0
  return (
    <li className={classes.file}>
      <IconFile size={20} stroke={1.5} aria-hidden="true" />
      <div className={classes.fileWords}>
        <div className={classes.fileName} dir="auto">
          {name}
        </div>
        <div className={classes.fileState}>
          {formatBytes(size)}
          {!path && ` · ${failed ? texts.uploadFailed : texts.uploading(progress)}`}
        </div>
        {!path && (
          <Progress
            value={failed ? 100 : progress}
            {...(failed && { color: 'red' })}
            size="xs"
            mt={4}
            aria-label={texts.progress(name)}
          />
        )}
      </div>
      {failed && (
        <ActionIcon variant="subtle" color="gray" aria-label={texts.retry(name)} onClick={onRetry} disabled={disabled}>
          <IconRefresh size={18} stroke={1.6} />
        </ActionIcon>
      )}
      <CloseButton aria-label={texts.remove(name)} onClick={onRemove} disabled={disabled} />
    </li>
  )
}
