import { useEffect, useRef, useState } from 'react'
import { postCover } from '../../lib/media/public-image.ts'
import { uploadPicture } from '../../lib/uploads/upload-image.ts'

export type Cover = {
  /** The address of the picture: an object URL until it is uploaded. */
  preview: string
  /** The chosen file; undefined for the cover that a post has already. */
  file?: File
  /** Its path in bucket `covers`, once uploaded: a retry doesn't send it again. */
  path?: string
}

/** The free cover of a post (LOOP-14). @param stored the cover that it has already. */
export function useCover(userId: string, stored: string | null = null) {
  const [cover, setCover] = useState<Cover | undefined>(() =>
    stored === null ? undefined : { preview: postCover(stored), path: stored },
  )
  const latest = useRef(cover)
  latest.current = cover
  useEffect(() => () => release(latest.current), [])

  const choose = (file: File | undefined) => {
    release(cover)
    setCover(file && { file, preview: URL.createObjectURL(file) })
  }
  /** @returns the path, or undefined if there is no cover. */
  const upload = async (): Promise<string | undefined> => {
    if (!cover?.file || cover.path) return cover?.path
    const path = await uploadPicture('covers', userId, cover.file)
    setCover({ ...cover, path })
    return path
  }
  return { cover, choose, upload }
}

function release(cover: Cover | undefined): void {
  if (cover?.file) URL.revokeObjectURL(cover.preview)
}
