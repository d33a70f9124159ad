import { fileMaxBytes, messageFilesMax, videoMaxBytes } from '@ovation/contract/limits'
import { messageTexts } from '@ovation/contract/texts/messages'
import { composerTexts } from '@ovation/contract/texts/posts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { vaultKey } from '../../domain/vault/vault-key.ts'
import type { PickedFile } from '../../domain/vault/vault-picker.tsx'
import { formatBytes } from '../../lib/format/format-number.ts'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { toast } from '../../ui/toast.ts'

const texts = messageTexts.compose

export type Attachment = {
  id: string
  name: string
  type: 'image' | 'video'
  /** An object URL for the preview. */
  preview: string
  /** In percent; -1 if the upload failed (POST-35). */
  progress: number
  /** The path in bucket `messages`, once uploaded. */
  path?: string
  control: UploadControl
}

const isMedia = (file: File) => /^(image|video)\//.test(file.type)
const typeOf = (file: File) => (file.type.startsWith('video/') ? 'video' : 'image')

/** The attachments of a draft message. They upload while the user is still typing, so that sending doesn't have to wait. */
export function useAttachments(userId: string) {
  const [list, setList] = useState<Attachment[]>([])
  const queryClient = useQueryClient()
  const leaving = useRef(new AbortController())
  const kept = useRef(list)
  kept.current = list

  useEffect(() => {
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      for (const entry of kept.current) discard(entry)
    }
  }, [])

  const change = (id: string, part: Partial<Attachment>) =>
    setList((current) => current.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)))

  const add = (files: File[]) => {
    const refusal = refusalOf(files, list.length)
    if (refusal) return toast.error(refusal.message, refusal.title)
    for (const file of files) {
      const id = crypto.randomUUID()
      const extension = /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1] ?? file.type.split('/')[1]
      const path = `${userId}/${Date.now()}-${id.slice(0, 8)}.${extension?.toLowerCase()}`
      const preview = URL.createObjectURL(file)
      const control = new UploadControl()
      setList((current) => [...current, { id, name: file.name, type: typeOf(file), preview, progress: 0, control }])
      uploadFile({
        bucket: 'messages',
        path,
        file,
        signal: leaving.current.signal,
        control,
        onProgress: (progress) => change(id, { progress }),
      })
        .then(() => {
          change(id, { path, progress: 100 })
          void queryClient.invalidateQueries({ queryKey: vaultKey })
        })
        .catch(() => change(id, { progress: -1 }))
    }
  }

  const remove = (entry: Attachment) => {
    discard(entry)
    setList((current) => current.filter(({ id }) => id !== entry.id))
  }

  /** Files of the vault, which have nothing to upload. */
  const addPicked = async (picked: PickedFile[]) => {
    const { attachFromVault } = await import('./attach-from-vault.ts')
    const added = await attachFromVault(picked)
    // The message was left in the meantime: nobody will send them.
    if (leaving.current.signal.aborted) return added.forEach(discard)
    setList((current) => [...current, ...added])
  }

  return { list, add, addPicked, remove, /** The message has them now. */ handOver: () => setList([]) }
}

/** Deletes an unsent file, or cancels its upload. If that fails, only its owner can read it. */
function discard({ preview, path, control }: Attachment): void {
  URL.revokeObjectURL(preview)
  control.cancel()
  if (path) void import('../../lib/api/storage.ts').then(({ storage }) => storage().from('messages').remove([path]))
}

/** One invalid file rejects the whole selection (POST-24..POST-28). */
function refusalOf(files: File[], already: number): { title?: string; message: string } | null {
  const stranger = files.find((file) => !isMedia(file))
  if (stranger)
    return { title: composerTexts.unsupported.title, message: composerTexts.unsupported.message(stranger.name) }
  const giant = files.find((file) => file.size > (typeOf(file) === 'video' ? videoMaxBytes : fileMaxBytes))
  if (giant) {
    const { title, message } = composerTexts.filesTooLarge
    return { title, message: message(giant.name, formatBytes(giant.size)) }
  }
  return files.length + already > messageFilesMax ? { message: texts.tooMany } : null
}
