import { useRef, useState } from 'react'
import { uploadFile } from '../../lib/uploads/upload-file.ts'
import { idImagePath, type Side } from './id-image.ts'

type Uploaded = { file: File; path: string }

/** Uploads the two images to bucket `verification`. A retry of the form doesn't upload them again. */
export function useIdUploads(userId: string) {
  const uploaded = useRef<Partial<Record<Side, Uploaded>>>({})
  const [progress, setProgress] = useState<Record<Side, number | null>>({ front: null, back: null })

  /** @returns the path in the bucket. @throws the server's message. */
  const upload = async (side: Side, file: File): Promise<string> => {
    const known = uploaded.current[side]
    if (known?.file === file) return known.path
    const show = (percent: number | null) => setProgress((current) => ({ ...current, [side]: percent }))
    const path = idImagePath(userId, side, file)
    show(0)
    try {
      await uploadFile({ bucket: 'verification', path, file, onProgress: show })
    } catch (error) {
      show(null)
      throw error
    }
    uploaded.current[side] = { file, path }
    return path
  }

  const forget = (side: Side) => setProgress((current) => ({ ...current, [side]: null }))
  return { upload, progress, forget }
}
