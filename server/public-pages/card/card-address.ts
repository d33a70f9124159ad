import type { PublicPage } from '../read-page.ts'

/** Where a page's card is. */
export const cardAddress = (page: PublicPage): string =>
  page.kind === 'post' ? `/embed/post/${page.id}` : `/embed/profile/${page.creator.username}`

/** Its size in pixels, without a limit. In less, its picture and text become shorter. */
export function cardSize(page: PublicPage): { readonly width: number; readonly height: number } {
  const hasRoom = page.kind === 'post' && page.picture?.isWide === true
  return { width: 480, height: hasRoom ? 560 : 300 }
}
