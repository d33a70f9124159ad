import {
  assumedUplinkMbps,
  fileMaxBytes,
  postFilesMax,
  sequentialUploadBytes,
  videoMaxBytes,
} from '@ovation/contract/limits'
import { composerTexts } from '@ovation/contract/texts/posts'
import { formatBytes } from '../../lib/format/format-number.ts'

export type Refusal = { title: string; message: string }

const isVideo = (file: File): boolean => file.type.startsWith('video/')
const isMedia = (file: File): boolean => isVideo(file) || file.type.startsWith('image/')
const isTooLarge = (file: File): boolean => file.size > (isVideo(file) ? videoMaxBytes : fileMaxBytes)

export const mediaTypeOf = (file: File): 'image' | 'video' => (isVideo(file) ? 'video' : 'image')

/** Sets the type of HEIC photos by extension: many systems have no MIME type for them. */
export function withType(file: File): File {
  return file.type === '' && /\.hei[cf]$/i.test(file.name)
    ? new File([file], file.name, { type: 'image/heic', lastModified: file.lastModified })
    : file
}

/** Why this selection can't be accepted. One invalid file rejects the whole selection (POST-24..POST-28). */
export function refusalOf(selection: File[], alreadyChosen: number): Refusal | null {
  const stranger = selection.find((file) => !isMedia(file))
  if (stranger) {
    const { title, message } = composerTexts.unsupported
    return { title, message: message(stranger.name) }
  }
  const giant = selection.find(isTooLarge)
  if (giant) {
    const { title, message } = composerTexts.filesTooLarge
    return { title, message: message(giant.name, formatBytes(giant.size)) }
  }
  return selection.length + alreadyChosen > postFilesMax ? composerTexts.errors.tooMany : null
}

export const goesAlone = (file: File): boolean => file.size > sequentialUploadBytes

/** The estimated upload time in seconds, at the assumed speed (POST-39). */
export const estimateSeconds = (files: File[]): number =>
  Math.ceil((files.reduce((sum, file) => sum + file.size, 0) * 8) / (assumedUplinkMbps * 1_000_000))

/** The extension for the new object's name; empty if the file has none. */
export function extensionOf(file: File): string {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(file.name)?.[1]
  return (extension ?? file.type.split('/')[1] ?? '').toLowerCase().replace(/[^a-z0-9]/g, '')
}
