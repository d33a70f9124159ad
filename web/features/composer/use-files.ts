import { composerTexts } from '@ovation/contract/texts/posts'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../../ui/toast.ts'
import { refusalOf } from './file-rules.ts'
import { uploadAll } from './upload-all.ts'
import { uploadMedia } from './upload-media.ts'
import { wordsFor } from './words-for.ts'

export type ChosenFile = {
  id: string
  file: File
  /** A local address for the preview. */
  preview: string
  /** 0 to 100; -1 when the upload failed; undefined before it began (POST-35). */
  progress?: number
  /** Set once it is in the storage. */
  path?: string
}

/** The files of a new post: choosing, taking away, uploading. A file that is up is not sent again. */
export function useFiles(userId: string) {
  const [list, setList] = useState<ChosenFile[]>([])
  const chosen = useRef(list)
  chosen.current = list
  const leaving = useRef(new AbortController())

  useEffect(() => {
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      for (const { preview } of chosen.current) URL.revokeObjectURL(preview)
    }
  }, [])

  const change = (id: string, part: Partial<ChosenFile>) =>
    setList((current) => current.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)))

  const add = (selection: File[]) => {
    const refusal = refusalOf(selection, chosen.current.length)
    if (refusal) return toast.error(refusal.message, refusal.title)
    const added = selection.map((file) => ({ id: crypto.randomUUID(), file, preview: URL.createObjectURL(file) }))
    setList((current) => [...current, ...added])
  }

  const remove = ({ id, preview }: ChosenFile) => {
    URL.revokeObjectURL(preview)
    setList((current) => current.filter((entry) => entry.id !== id))
  }

  /** @returns the paths in the order of the files, or undefined when some failed, which has been told. */
  const upload = async (): Promise<string[] | undefined> => {
    const entries = chosen.current
    const missing = entries.filter((entry) => !entry.path)
    const byFile = new Map(missing.map((entry) => [entry.file, entry]))
    const results = await uploadAll([...byFile.keys()], async (file) => {
      const id = byFile.get(file)?.id ?? ''
      change(id, { progress: 0 })
      return uploadMedia(file, {
        userId,
        signal: leaving.current.signal,
        onProgress: (progress) => change(id, { progress }),
      })
    })
    const paths = new Map(entries.map((entry) => [entry.id, entry.path]))
    for (const [index, result] of results.entries()) {
      const entry = missing[index]
      if (!entry) continue
      if ('path' in result) paths.set(entry.id, result.path)
      change(entry.id, 'path' in result ? { path: result.path, progress: 100 } : { progress: -1 })
    }
    const done = entries.flatMap(({ id }) => paths.get(id) ?? [])
    if (done.length === entries.length) return done
    tellFailures(missing, results, done.length, entries.length)
    return undefined
  }

  return { list, add, remove, upload }
}

function tellFailures(
  entries: ChosenFile[],
  results: Awaited<ReturnType<typeof uploadAll>>,
  done: number,
  total: number,
) {
  const first = results.findIndex((result) => 'error' in result)
  const result = results[first]
  const name = entries[first]?.file.name ?? ''
  if (result && 'error' in result) toast.error(wordsFor(result.error, name), composerTexts.failed.title)
  if (total > 1) toast.error(composerTexts.upload.incomplete(done, total))
}
