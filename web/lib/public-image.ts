const publicPath = '/storage/v1/object/public/'

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
