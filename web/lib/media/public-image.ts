const publicPath = '/storage/v1/object/public/'
const renderPath = '/storage/v1/render/image/public/'

/**
 * The address of an avatar or banner as this page may load it. Pictures of this site are addressed by path alone, so that
 * they load from whichever name the site is reached by; a new picture is fetched anew although its name may repeat (API-STO-04).
 * `null` for any other address: the page's policy would refuse it, and asking would tell another site who looks at whom.
 */
export function publicImage(url: string | null, updatedAt?: string): string | null {
  if (!url) return null
  const at = url.indexOf(publicPath)
  if (at === -1) return null
  const path = url.slice(at)
  return updatedAt ? `${path}?v=${encodeURIComponent(updatedAt)}` : path
}

/** What a face beside a name takes at two or three pixels to one. A single size, so that each face is fetched once. */
const smallSide = 144

/** The same picture cut to a small square, as the server makes it (API-STO-17). Any other address, of a file not yet sent, stays as it is. */
export function smallImage(image: string): string {
  if (!image.startsWith(publicPath)) return image
  const [path = '', query] = image.replace(publicPath, renderPath).split('?')
  return `${path}?width=${smallSide}&height=${smallSide}${query ? `&${query}` : ''}`
}
