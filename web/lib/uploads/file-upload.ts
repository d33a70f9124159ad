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
