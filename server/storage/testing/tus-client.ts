import { Upload, type UploadOptions } from 'tus-js-client'

export type Sent = { readonly url: string | null; readonly error: Error | undefined }

/** Sends bytes with the official TUS client, like storage-js's documentation: 6 MB at a time by default. */
export function sendResumably(body: Buffer, options: UploadOptions): Promise<Sent> {
  return new Promise((resolve) => {
    const upload = new Upload(body, {
      chunkSize: 6 * 1024 * 1024,
      retryDelays: null,
      ...options,
      onSuccess: () => resolve({ url: upload.url, error: undefined }),
      onError: (error) => resolve({ url: upload.url, error }),
    })
    upload.start()
  })
}
