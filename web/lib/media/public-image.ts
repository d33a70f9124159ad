const publicPath = '/storage/v1/object/public/'
const renderPath = '/storage/v1/render/image/public/'

/**
 * The URL of an avatar or banner for this page. Pictures of this site are addressed by path alone, so that
 * they load from whichever host the page uses; a changed picture is loaded again even if its name repeats (API-STO-04).
 * `null` for any other URL: the page's policy would block it, and a request would tell another site who views the profile.
 */
export function publicImage(url: string | null, updatedAt?: string): string | null {
  if (!url) return null
  const at = url.indexOf(publicPath)
  if (at === -1) return null
  const path = url.slice(at)
  return updatedAt ? `${path}?v=${encodeURIComponent(updatedAt)}` : path
}

/** The free cover of a post, by its path in bucket `covers`, by default in a width for cards on sharp screens (LOOP-14). */
export const postCover = (path: string, width = 1280): string => `${renderPath}covers/${path}?width=${width}`

/** The size of an avatar beside a name at 2x or 3x. A single size, so that each avatar loads once. */
const smallSide = 144

/** The same picture cropped to a small square by the server. */
export const smallImage = (image: string): string => croppedImage(image, smallSide, smallSide)

/** The same picture resized and cropped by the server (API-STO-17), in pixels. Any other URL, of a local file, stays as it is. */
export function croppedImage(image: string, width: number, height: number): string {
  if (!image.startsWith(publicPath)) return image
  const [path = '', query] = image.replace(publicPath, renderPath).split('?')
  return `${path}?width=${width}&height=${height}${query ? `&${query}` : ''}`
}
