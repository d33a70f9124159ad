import { fileMaxBytes, messageFilesMax, videoMaxBytes } from '@ovation/contract/limits'
import { messageTexts } from '@ovation/contract/texts/messages'
import { composerTexts } from '@ovation/contract/texts/posts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { MessageFileType } from '../../domain/messages/queries.ts'
import type { ChosenFile } from '../../domain/messages/saved-replies.ts'
import type { MediaPreview } from '../../domain/posts/queries.ts'
import { vaultKey } from '../../domain/vault/vault-key.ts'
import { formatBytes } from '../../lib/format/format-number.ts'
import { UploadControl } from '../../lib/uploads/upload-control.ts'
import { UploadError } from '../../lib/uploads/upload-error.ts'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { toast } from '../../ui/toast.ts'
import { encodeLevels } from './encode-levels.ts'
import { keepRecording, takeRecordings } from './kept-recordings.ts'
import type { Recording } from './record-voice.ts'

const texts = messageTexts.compose

export type Attachment = {
  id: string
  name: string
  type: MessageFileType
  /** An object URL for the preview. */
  preview: string
  /** In percent; -1 if the upload failed (POST-35). */
  progress: number
  /** Why it failed, if the server said so. */
  failure?: string | undefined
  /** The path in bucket `messages`, once uploaded. */
  path?: string
  control: UploadControl
  /** The file of the vault from which it was taken. */
  fileId?: string
  /** To upload it again; files of the vault are there already. */
  file?: File
  /** Of a voice message. */
  recording?: Recording
  /** What is known of it before the server has processed it. */
  about?: MediaPreview
}

const isMedia = (file: File) => /^(image|video)\//.test(file.type)
const typeOf = (file: File) => (file.type.startsWith('video/') ? 'video' : 'image')

/**
 * The attachments of a draft message. They upload while the user is still typing, so that sending doesn't have to wait.
 * @param thread under this key, unsent voice messages come back when the thread is opened again.
 */
export function useAttachments(userId: string, thread: string) {
  const [list, setList] = useState<Attachment[]>([])
  const queryClient = useQueryClient()
  const leaving = useRef(new AbortController())
  const kept = useRef(list)
  kept.current = list

  useEffect(() => {
    leaving.current = new AbortController()
    for (const recording of takeRecordings(thread)) comeBack(recording)
    return () => {
      leaving.current.abort()
      for (const entry of kept.current) {
        if (entry.recording) keepRecording(thread, entry.recording)
        discard(entry)
      }
    }
  }, [thread])

  const change = (id: string, part: Partial<Attachment>) =>
    setList((current) => current.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)))

  const add = (files: File[]) => {
    const refusal = refusalOf(files, list.length)
    if (refusal) return toast.error(refusal.message, refusal.title)
    for (const file of files) begin(file, { name: file.name, type: typeOf(file) })
  }

  const begin = (file: File, about: Pick<Attachment, 'name' | 'type' | 'recording' | 'about'>) => {
    const entry = {
      ...about,
      id: crypto.randomUUID(),
      file,
      preview: URL.createObjectURL(file),
      progress: 0,
      control: new UploadControl(),
    }
    setList((current) => [...current, entry])
    upload(entry, file)
  }

  const upload = ({ id, control, type }: Attachment, file: File) => {
    // The server makes one format of all recordings.
    const named = type === 'audio' ? 'm4a' : /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1]
    const extension = named ?? file.type.split('/')[1]
    const path = `${userId}/${Date.now()}-${id.slice(0, 8)}.${extension?.toLowerCase()}`
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
      .catch((error: unknown) => {
        const said =
          error instanceof UploadError && error.failure.kind === 'refused' ? error.failure.message : undefined
        change(id, { progress: -1, failure: said })
      })
  }

  const retry = (id: string) => {
    const entry = list.find((one) => one.id === id)
    if (!entry?.file) return
    change(id, { progress: 0, failure: undefined })
    upload(entry, entry.file)
  }

  /** A voice message. If the thread was left while it was recorded, it waits there. */
  const addRecording = (recording: Recording) => {
    if (leaving.current.signal.aborted) return keepRecording(thread, recording)
    const { file, duration, levels } = recording
    const about = { duration, waveform: encodeLevels(levels) }
    begin(file, { name: messageTexts.voice, type: 'audio', recording, about })
  }
  const comeBack = useEffectEvent(addRecording)

  const remove = (id: string) => {
    for (const entry of list) if (entry.id === id) discard(entry)
    setList((current) => current.filter((entry) => entry.id !== id))
  }

  /** Files of the vault, which have nothing to upload. Each is in a message once. */
  const addPicked = async (picked: ChosenFile[]) => {
    const others = picked.filter(({ file }) => !list.some(({ fileId }) => fileId === file.id))
    if (others.length === 0) return
    const { attachFromVault } = await import('./attach-from-vault.ts')
    const added = await attachFromVault(others)
    // The message was left in the meantime: nobody will send them.
    if (leaving.current.signal.aborted) return added.forEach(discard)
    setList((current) => [...current, ...added])
  }

  return {
    list,
    add,
    addPicked,
    addRecording,
    retry,
    remove,
    /** The message has them now. */ handOver: () => setList([]),
  }
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
