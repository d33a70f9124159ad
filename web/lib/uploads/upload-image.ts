import { imageMaxBytes, objectCacheSeconds } from '@ovation/contract/limits'
import { storage } from '../api/storage.ts'
import { publicImagePath } from '../media/public-image.ts'

/** The types that every browser shows. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const

/** Why a picture can't be used, checked before the upload (PROF-11). */
export function refusalOf(file: File): 'not-an-image' | 'too-large' | null {
  if (!imageTypes.some((type) => type === file.type)) return 'not-an-image'
  return file.size > imageMaxBytes ? 'too-large' : null
}

export type PictureBucket = 'avatars' | 'banners' | 'covers' | 'front-page'

/**
 * Uploads a picture to a public bucket (API-STO-03).
 * @param folder the user's own, named by their user id; in bucket `front-page`, any.
 * @returns its path in the bucket.
 * @throws the storage API's error.
 */
export async function uploadPicture(bucket: PictureBucket, folder: string, file: File): Promise<string> {
  const path = `${folder}/${Date.now()}.${file.type.replace('image/', '')}`
  const { error } = await storage()
    .from(bucket)
    .upload(path, file, { cacheControl: String(objectCacheSeconds), contentType: file.type })
  if (error) throw error
  return path
}

/** Like `uploadPicture`. @returns its URL without the host. */
export async function uploadImage(bucket: PictureBucket, userId: string, file: File): Promise<string> {
  const path = await uploadPicture(bucket, userId, file)
  return publicImagePath(storage().from(bucket).getPublicUrl(path).data.publicUrl) ?? path
}
