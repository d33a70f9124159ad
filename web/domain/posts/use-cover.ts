import { postCover } from '../../lib/media/public-image.ts'
import { type ChosenPicture, usePicture } from '../../lib/uploads/use-picture.ts'

export type Cover = ChosenPicture

/** The free cover of a post (LOOP-14) or a product (OFFER-05). @param stored the cover that it has already. */
export function useCover(userId: string, stored: string | null = null) {
  const { picture, choose, upload } = usePicture({ bucket: 'covers', folder: userId, addressOf: postCover }, stored)
  return { cover: picture, choose, upload }
}
