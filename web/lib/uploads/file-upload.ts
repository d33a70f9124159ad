import type { UploadControl } from './upload-control.ts'

export type FileUpload = {
  bucket: string
  /** Begins with the auth user's id. */
  path: string
  file: File
  /** Percent of the bytes that have left, held at 90 until the server has confirmed the file, then 100 (POST-35, D4). */
  onProgress?: (percent: number) => void
  /** The screen was left: nothing is waited for. */
  signal?: AbortSignal
  /** Pause, resume, give up. */
  control?: UploadControl
  /** Goes on with an upload of the same file that a reload has interrupted: it may lie under another path then. */
  resumes?: boolean
}
