import { storageErrors } from './errors.ts'

/** Characters that every S3-compatible store takes without escaping: storage-api's set (supabase/storage `src/storage/limits.ts`). */
const safeCharacters = /^[\w/!\-.*'() &$@=;:+,?]+$/
const maxKeyLength = 1024
const maxBucketLength = 63

/** True for a path that every program reads the same way: no empty, `.` or `..` segment, no control or look-alike characters. */
export function isObjectKey(key: string): boolean {
  return (
    key.length <= maxKeyLength &&
    safeCharacters.test(key) &&
    key.split('/').every((segment) => segment.trim() !== '' && segment !== '.' && segment !== '..')
  )
}

/** @throws InvalidKey (400). */
export function requireObjectKey(key: string): string {
  if (!isObjectKey(key)) throw storageErrors.invalidKey(key)
  return key
}

/** @throws InvalidBucketName (400). */
export function requireBucketName(name: string): string {
  if (name.length > maxBucketLength || name.includes('/') || !isObjectKey(name) || name.trim() !== name) {
    throw storageErrors.invalidBucketName()
  }
  return name
}
