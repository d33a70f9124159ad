import { useEffect, useRef, useState } from 'react'
import { type PictureBucket, uploadPicture } from './upload-image.ts'

export type ChosenPicture = {
  /** The address of the picture: an object URL until it is uploaded. */
  preview: string
  /** The chosen file; undefined for a picture that is stored already. */
  file?: File
  /** Its path in the bucket, once uploaded: a retry doesn't send it again. */
  path?: string
}

type Place = {
  bucket: PictureBucket
  folder: string
  /** The address of a stored picture. */
  addressOf: (path: string) => string
}

/** A picture in a form, which is uploaded when the form is sent. @param stored the path of the one that is stored already. */
export function usePicture({ bucket, folder, addressOf }: Place, stored: string | null) {
  const [picture, setPicture] = useState<ChosenPicture | undefined>(() =>
    stored === null ? undefined : { preview: addressOf(stored), path: stored },
  )
  const latest = useRef(picture)
  latest.current = picture
  useEffect(() => () => release(latest.current), [])

  const choose = (file: File | undefined) => {
    release(picture)
    setPicture(file && { file, preview: URL.createObjectURL(file) })
  }
  /** @returns the path, or undefined if there is no picture. */
  const upload = async (): Promise<string | undefined> => {
    if (!picture?.file || picture.path) return picture?.path
    const path = await uploadPicture(bucket, folder, picture.file)
    setPicture({ ...picture, path })
    return path
  }
  return { picture, choose, upload }
}

function release(picture: ChosenPicture | undefined): void {
  if (picture?.file) URL.revokeObjectURL(picture.preview)
}
