import type { UploadControl } from './upload-control.ts'

export type FileUpload = {
  bucket: string
  /** Starts with the auth user's id. */
  path: string
  file: File
  /** Percent of the bytes sent, held at 90 until the server has confirmed the file, then 100 (POST-35, D4). */
  onProgress?: (percent: number) => void
  /** Aborted when the screen closes. */
  signal?: AbortSignal
  /** Pause, resume, cancel. */
  control?: UploadControl
  /** Continues an upload of the same file that a reload interrupted, possibly under its earlier path. */
  resumes?: boolean
}

/**
 * The file's name on this device, for the creator's vault: the database takes it out of what others can read (`private.keep_upload`), but only
 * in these buckets.
 */
export const vaultMetadata = ({ bucket, file }: Pick<FileUpload, 'bucket' | 'file'>): string | undefined =>
  ['posts', 'messages', 'vault'].includes(bucket) ? JSON.stringify({ fileName: file.name.slice(0, 255) }) : undefined
