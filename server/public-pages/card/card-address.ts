import type { PublicPage } from '../read-page.ts'

/** Where a page's card is. */
export const cardAddress = (page: PublicPage): string => `/embed/${page.kind}/${nameOf(page)}`

/** The last part of the addresses of a page's card and picture. */
export const nameOf = (page: PublicPage): string => (page.kind === 'profile' ? page.creator.username : page.id)

/** Its size in pixels, without a limit. In less, its picture and text become shorter. */
export function cardSize(page: PublicPage): { readonly width: number; readonly height: number } {
  const hasRoom = page.kind !== 'profile' && page.picture?.isWide === true
  return { width: 480, height: hasRoom ? 560 : 300 }
}
