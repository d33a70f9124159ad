import type { Site } from './site.ts'

/** A picture that every visitor may see: free, or the free cover of something locked. */
export type Picture = {
  /** Its path in storage/v1, by which the server renders it in any size. */
  readonly path: string
  /** In pixels, if known. */
  readonly size: { readonly width: number; readonly height: number } | undefined
  /** Whether it is worth the whole width of a card. A face isn't. */
  readonly isWide: boolean
}

const publicPath = '/storage/v1/object/public/'
const renderedPath = '/storage/v1/render/image/public/'

/**
 * An avatar or banner of this site. A profile may hold any text in its place, such as another site's URL or a script.
 * @param url as the profile has it.
 */
export function ownPicture(url: string | null, isWide: boolean): Picture | null {
  const at = url?.indexOf(publicPath) ?? -1
  if (url === null || at === -1) return null
  // Without a query, and without `..`.
  const path = URL.parse(url.slice(at), 'http://localhost')?.pathname
  if (!path?.startsWith(publicPath)) return null
  return { path: path.replace(publicPath, renderedPath), size: undefined, isWide }
}

/** The free cover of a post, by its path in bucket `covers` (LOOP-14). */
export const coverPicture = (name: string): Picture => ({
  path: `${renderedPath}covers/${encodePath(name)}`,
  size: undefined,
  isWide: true,
})

/** The picture of the front page, by its path in bucket `front-page` (FIND-06). */
export const frontPicture = (name: string): Picture => ({
  path: `${renderedPath}front-page/${encodePath(name)}`,
  size: undefined,
  isWide: true,
})

/** A picture, or the poster of a video, of a free post. */
export const postPicture = (name: string, size: Picture['size']): Picture => ({
  path: `/storage/v1/render/image/authenticated/posts/${encodePath(name)}`,
  size,
  isWide: true,
})

/** The file of a free post itself. */
export const postFile = (name: string): string => `/storage/v1/object/posts/${encodePath(name)}`

/** The path of the picture in a width, in pixels; with a height it is cropped. Never enlarged. */
export const rendered = ({ path }: Picture, width: number, height?: number): string =>
  `${path}?width=${width}${height === undefined ? '' : `&height=${height}`}`

/**
 * The URL of the same. A file of a post stays on the site: whether visitors see it is checked each time, so a CDN doesn't keep it.
 */
export function pictureOn(site: Site, picture: Picture, width: number, height?: number): string {
  const isKept = site.filesUrl !== undefined && picture.path.startsWith(renderedPath)
  return (isKept ? site.filesUrl : site.url) + rendered(picture, width, height)
}

/** Its size in this width. */
export function sizeIn({ size }: Picture, width: number): Picture['size'] {
  if (!size || size.width <= width) return size
  return { width, height: Math.max(1, Math.round((size.height * width) / size.width)) }
}

const encodePath = (name: string): string => name.split('/').map(encodeURIComponent).join('/')
