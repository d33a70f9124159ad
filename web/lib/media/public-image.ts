import { fileUrl } from './files-url.ts'

const publicPath = '/storage/v1/object/public/'
const renderPath = '/storage/v1/render/image/public/'

/** The path of a picture in a public bucket, without the host: the site may have several host names. `null` for any other URL. */
export function publicImagePath(url: string): string | null {
  const at = url.indexOf(publicPath)
  return at === -1 ? null : url.slice(at)
}

/**
 * The URL of an avatar or banner for this page. Pictures of this site are addressed by path alone, so that
 * they load from whichever host the page uses, or from the CDN; a changed picture is loaded again even if its name repeats (API-STO-04).
 * `null` for any other URL: the page's policy would block it, and a request would tell another site who views the profile.
 */
export function publicImage(url: string | null, updatedAt?: string): string | null {
  const path = url && publicImagePath(url)
  if (!path) return null
  return fileUrl(updatedAt ? `${path}?v=${encodeURIComponent(updatedAt)}` : path)
}

/** A picture of a public bucket, resized by the server. */
export const renderedImage = (bucket: string, path: string, width: number, height?: number): string =>
  fileUrl(`${renderPath}${bucket}/${path}?width=${width}${height === undefined ? '' : `&height=${height}`}`)

/** The free cover of a post, by its path in bucket `covers`, by default in a width for cards on sharp screens (LOOP-14). */
export const postCover = (path: string, width = 1280): string => renderedImage('covers', path, width)

/** The size of an avatar beside a name at 2x or 3x. A single size, so that each avatar loads once. */
const smallSide = 144

/** The same picture cropped to a small square by the server. */
export const smallImage = (image: string): string => croppedImage(image, smallSide, smallSide)

/** The same picture resized and cropped by the server (API-STO-17), in pixels. Any other URL, of a local file, stays as it is. */
export function croppedImage(image: string, width: number, height: number): string {
  if (!image.startsWith(fileUrl(publicPath))) return image
  const [path = '', query] = image.replace(publicPath, renderPath).split('?')
  return `${path}?width=${width}&height=${height}${query ? `&${query}` : ''}`
}
