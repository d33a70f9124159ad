import { productFileMaxBytes, productFileNameMaxLength, productFilesMax } from '@ovation/contract/limits'
import { productTexts } from '@ovation/contract/texts/products'
import { useEffect, useRef, useState } from 'react'
import type { ProductPage } from '../../domain/products/queries.ts'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { toast } from '../../ui/toast.ts'

const texts = productTexts.form.files

/** A file in the form: stored already, or on its way. */
export type FormFile = {
  readonly key: string
  readonly name: string
  readonly size: number
  /** In bucket `products`, once it is uploaded. */
  readonly path?: string
  /** In percent; -1 after a failure. */
  readonly progress: number
  readonly source?: File
}

/** The files of a product in its form. They are uploaded as soon as they are chosen, one after another. */
export function useProductFiles(userId: string, product: ProductPage | undefined) {
  const [files, setFiles] = useState<readonly FormFile[]>(() =>
    (product?.files ?? []).flatMap(({ path, name, size_bytes, is_earlier }) =>
      path && name && !is_earlier ? [{ key: path, name, size: size_bytes, path, progress: 100 }] : [],
    ),
  )
  const controls = useRef(new Map<string, UploadControl>())
  const line = useRef(Promise.resolve())
  useEffect(
    () => () => {
      for (const control of controls.current.values()) control.cancel()
    },
    [],
  )

  const change = (key: string, part: Partial<FormFile>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))

  const send = (key: string, source: File) => {
    const control = new UploadControl()
    controls.current.set(key, control)
    change(key, { progress: 0 })
    const upload = async () => {
      if (control.signal.aborted) return
      try {
        const path = await uploadFile({
          bucket: 'products',
          path: `${userId}/${key}`,
          file: source,
          control,
          resumes: true,
          onProgress: (progress) => change(key, { progress }),
        })
        change(key, { path, progress: 100 })
      } catch {
        if (!control.signal.aborted) change(key, { progress: -1 })
      }
    }
    line.current = line.current.then(upload)
  }

  const add = (chosen: readonly File[]) => {
    const giant = chosen.find(({ size }) => size > productFileMaxBytes)
    if (giant) return toast.error(texts.tooLarge(giant.name), texts.failed)
    if (files.length + chosen.length > productFilesMax) return toast.error(texts.tooMany, texts.failed)
    const added = chosen.map((file): FormFile & { source: File } => ({
      key: newName(),
      name: file.name.slice(-productFileNameMaxLength),
      size: file.size,
      progress: 0,
      // Without a type, a form would send it as text.
      source: file.type ? file : new File([file], file.name, { type: 'application/octet-stream' }),
    }))
    setFiles((all) => [...all, ...added])
    for (const { key, source } of added) send(key, source)
  }

  const remove = (key: string) => {
    controls.current.get(key)?.cancel()
    setFiles((all) => all.filter((one) => one.key !== key))
  }

  const retry = ({ key, source }: FormFile) => {
    if (source) send(key, source)
  }

  return {
    files,
    add,
    remove,
    retry,
    isBusy: files.some(({ path, progress }) => !path && progress >= 0),
    isComplete: files.every(({ path }) => path !== undefined),
    stored: files.flatMap(({ path, name }) => (path ? [{ path, name }] : [])),
  }
}

/** Unique in the creator's folder. `crypto.randomUUID` needs TLS. */
const newName = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`
