import { imageMaxBytes, objectCacheSeconds } from '@ovation/contract/limits'
import { storage } from '../api/storage.ts'
import { publicImage } from '../media/public-image.ts'

/** The types that every browser shows. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const

/** Why a picture can't be used, checked before the upload (PROF-11). */
export function refusalOf(file: File): 'not-an-image' | 'too-large' | null {
  if (!imageTypes.some((type) => type === file.type)) return 'not-an-image'
  return file.size > imageMaxBytes ? 'too-large' : null
}

type Bucket = 'avatars' | 'banners' | 'covers'

/**
 * Uploads a picture to the user's folder in a public bucket (API-STO-03).
 * @returns its path in the bucket.
 * @throws the storage API's error.
 */
export async function uploadPicture(bucket: Bucket, userId: string, file: File): Promise<string> {
  const path = `${userId}/${Date.now()}.${file.type.replace('image/', '')}`
  const { error } = await storage()
    .from(bucket)
    .upload(path, file, { cacheControl: String(objectCacheSeconds), contentType: file.type })
  if (error) throw error
  return path
}

/** Like `uploadPicture`. @returns its URL without the host: the site may have several host names. */
export async function uploadImage(bucket: Bucket, userId: string, file: File): Promise<string> {
  const path = await uploadPicture(bucket, userId, file)
  return publicImage(storage().from(bucket).getPublicUrl(path).data.publicUrl) ?? path
}
