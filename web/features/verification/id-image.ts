import { imageMaxBytes } from '@ovation/contract/limits'
import { verificationTexts } from '@ovation/contract/texts/verification'

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
}

/** The media types that bucket `verification` accepts (VER-08). */
export const acceptedImages = Object.keys(extensions)

/** The error for an image of an ID; null if it is valid. */
export function wrongWithImage(file: File | null): string | null {
  const { image, notAnImage, imageTooLarge } = verificationTexts.errors
  if (!file) return image
  if (!(file.type in extensions)) return notAnImage
  return file.size > imageMaxBytes ? imageTooLarge : null
}

export type Side = 'front' | 'back'

/** `{userId}/id_front_{time}.{ext}` (API-STO-05). */
export const idImagePath = (userId: string, side: Side, file: File): string =>
  `${userId}/id_${side}_${Date.now()}.${extensions[file.type]}`
