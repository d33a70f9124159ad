import { composerTexts } from '@ovation/contract/texts/posts'
import { vaultTexts } from '@ovation/contract/texts/vault'
import { useEffect, useRef, useState } from 'react'
import { errorMessageOf } from '../../lib/api/error-message-of.ts'
import { sized } from '../../lib/media/media-links.ts'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { toast } from '../../ui/toast.ts'
import type { Captions } from '../captions/captions.ts'
import type { Focus } from '../posts/queries.ts'
import { fileNameOf } from '../vault/file-name.ts'
import { readyFiles, type VaultFile } from '../vault/queries.ts'
import type { PickedFile } from '../vault/vault-picker.tsx'
import { refusalOf, withType } from './file-rules.ts'
import { type Uploaded, uploadAll } from './upload-all.ts'
import { uploadErrorMessage } from './upload-error-message.ts'
import { uploadMedia } from './upload-media.ts'

export type ChosenFile = {
  id: string
  file: File
  /** An object URL for the preview. */
  preview: string
  /** 0 to 100; -1 if the upload failed; undefined before it starts (POST-35). */
  progress?: number
  paused?: boolean
  /** Only for videos. */
  captions?: Captions[]
  /** Only for pictures whose creator has set it. */
  focus?: Focus
  /** Only for pictures. */
  alt?: string
  /** The storage path, once uploaded. */
  path?: string
  /** A file of the vault, which has nothing to upload. `file` has its name and type only. */
  vault?: Pick<VaultFile, 'id' | 'size_bytes' | 'preview' | 'alt_text'>
}

type UploadedFile = Required<Pick<ChosenFile, 'file' | 'path' | 'captions' | 'alt'>> &
  Pick<ChosenFile, 'focus' | 'vault'>

const chosenFrom = ({ file, link }: PickedFile): ChosenFile => ({
  id: crypto.randomUUID(),
  file: new File([], fileNameOf(file), { type: file.mime_type }),
  preview: link ? sized(link, 960) : '',
  vault: file,
  ...(file.alt_text && { alt: file.alt_text }),
})

/** The files of a new post: adds, orders, removes, and uploads them. Uploaded files aren't sent again. */
export function useFiles(userId: string, begun: PickedFile[] = []) {
  const [list, setList] = useState<ChosenFile[]>(() => begun.map(chosenFrom))
  const chosen = useRef(list)
  chosen.current = list
  const leaving = useRef(new AbortController())
  /** The controls of running uploads, by file id. */
  const controls = useRef(new Map<string, UploadControl>())

  useEffect(() => {
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      for (const { preview } of chosen.current) URL.revokeObjectURL(preview)
    }
  }, [])

  const update = (next: (current: ChosenFile[]) => ChosenFile[]) => {
    chosen.current = next(chosen.current) // a running upload reads it before the next render
    setList(chosen.current)
  }
  const change = (id: string, part: Partial<ChosenFile>) =>
    update((current) => current.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)))

  const add = (selection: File[]) => {
    const files = selection.map(withType)
    const refusal = refusalOf(files, chosen.current.length)
    if (refusal) return toast.error(refusal.message, refusal.title)
    const added = files.map((file) => ({ id: crypto.randomUUID(), file, preview: URL.createObjectURL(file) }))
    update((current) => [...current, ...added])
  }

  /** Files of the vault. The dialog offers no more than the post can have. */
  const addPicked = (picked: PickedFile[]) => update((current) => [...current, ...picked.map(chosenFrom)])

  /** Also cancels a running upload. The post is created without the file. */
  const remove = ({ id, preview }: ChosenFile) => {
    URL.revokeObjectURL(preview)
    update((current) => current.filter((entry) => entry.id !== id))
    controls.current.get(id)?.cancel()
  }

  const move = (id: string, to: number) =>
    update((current) => {
      const moved = current.find((entry) => entry.id === id)
      return moved ? current.filter((entry) => entry !== moved).toSpliced(to, 0, moved) : current
    })

  const setPaused = ({ id }: ChosenFile, paused: boolean) => {
    controls.current.get(id)?.setPaused(paused)
    change(id, { paused })
  }

  const setCaptions = ({ id }: ChosenFile, captions: Captions[]) => change(id, { captions })
  const setFocus = ({ id }: ChosenFile, focus: Focus) => change(id, { focus })
  const setAlt = ({ id }: ChosenFile, alt: string) => change(id, { alt })

  const send = async (entries: ChosenFile[]): Promise<Uploaded[]> => {
    const byFile = new Map(entries.map((entry) => [entry.file, entry]))
    const results = await uploadAll([...byFile.keys()], async (file) => {
      const id = byFile.get(file)?.id ?? ''
      if (!chosen.current.some((entry) => entry.id === id)) throw new UploadError({ kind: 'aborted' })
      const control = new UploadControl()
      controls.current.set(id, control)
      change(id, { progress: 0, paused: false })
      const onProgress = (progress: number) => change(id, { progress })
      return uploadMedia(file, { userId, signal: leaving.current.signal, control, onProgress })
    })
    for (const [index, result] of results.entries()) {
      const id = entries[index]?.id ?? ''
      controls.current.delete(id)
      change(id, 'path' in result ? { path: result.path, progress: 100 } : { progress: -1 })
    }
    return results
  }

  /** Only now, because a post that is never published should leave nothing behind. @returns false if it failed; the error has been shown. */
  const readyVaultFiles = async (): Promise<boolean> => {
    const picked = chosen.current.flatMap(({ id, vault, path }) => (vault && !path ? [{ id, fileId: vault.id }] : []))
    if (picked.length === 0) return true
    try {
      const paths = await readyFiles(
        'posts',
        picked.map(({ fileId }) => fileId),
      )
      for (const [index, { id }] of picked.entries()) change(id, { path: paths[index] ?? '' })
      return true
    } catch (error) {
      toast.error(errorMessageOf(error), vaultTexts.picker.failed)
      return false
    }
  }

  /** @returns the files in order, or undefined if some failed; the errors have been shown. */
  const upload = async (): Promise<UploadedFile[] | undefined> => {
    const missing = chosen.current.filter((entry) => !entry.path && !entry.vault)
    const results = await send(missing)
    if (!(await readyVaultFiles())) return undefined
    const entries = chosen.current // without files removed in the meantime
    const done = entries.flatMap(({ file, path, captions = [], focus, alt = '', vault }) =>
      path ? [{ file, path, captions, alt, ...(focus && { focus }), ...(vault && { vault }) }] : [],
    )
    if (done.length === entries.length) return done
    showFailures(
      missing.flatMap(({ id, file }, index) => {
        const result = results[index]
        return result && 'error' in result && entries.some((entry) => entry.id === id)
          ? [{ file, error: result.error }]
          : []
      }),
      done.length,
      entries.length,
    )
    return undefined
  }

  /** Uploads a failed file again. */
  const retry = async (entry: ChosenFile) => {
    const [result] = await send([entry])
    if (result && 'error' in result) showFailures([{ file: entry.file, error: result.error }], 0, 1)
  }

  const busy = list.some(({ path, progress }) => !path && progress !== undefined && progress >= 0)
  return { list, busy, add, addPicked, remove, move, setPaused, setCaptions, setFocus, setAlt, retry, upload }
}

function showFailures(failures: { file: File; error: unknown }[], done: number, total: number) {
  const [first] = failures
  if (first) toast.error(uploadErrorMessage(first.error, first.file.name), composerTexts.failed.title)
  if (total > 1) toast.error(composerTexts.upload.incomplete(done, total))
}
