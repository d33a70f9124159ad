import { paths } from '@ovation/contract/paths'
import { escapeHtml } from '../escape-html.ts'
import { anonymous } from '../postgres/caller.ts'
import { sql } from '../postgres/sql.ts'
import type { Services } from './services.ts'

/** The preview of a shared link on other sites (Open Graph, ogp.me). */
export type LinkPreview = {
  readonly title: string
  readonly description: string
  /** A path of this site. */
  readonly picture: string | null
  /** Whether the picture is worth the whole width of the card. A face isn't. */
  readonly isWide: boolean
  readonly path: string
  readonly type: 'article' | 'profile'
}

const descriptionLength = 200
const postPath = /^\/post\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
const profilePath = /^\/profile\/([a-z0-9_-]{1,30})$/i

/**
 * Title, text, and picture of a post or profile, as a visitor may see them: of a locked post the first
 * 100 characters and no file but its cover (POST-11, POST-46, LOOP-14), of a private profile nothing (PROF-22). `null` if there is nothing to show.
 */
export async function readLinkPreview({ database }: Services, path: string): Promise<LinkPreview | null> {
  const visitor = database.as(anonymous)
  const post = postPath.exec(path)?.[1]
  if (post) {
    const [found] = await visitor.rows<PostRow>(sql`
      select p.title, p.content, p.is_locked, p.media_urls[array_position(p.media_types, 'image')] as image, p.cover_path,
        coalesce(c.display_name, c.username) as creator, c.avatar_url
      from public.posts p join public.profiles c on c.id = p.creator_id
      where p.id = ${post}::uuid`)
    if (!found) return null
    const picture = pictureOf(found)
    return {
      title: found.title ?? `Post by ${found.creator}`,
      description: shorten(found.content ?? '', found.is_locked),
      picture,
      isWide: picture !== ownPicture(found.avatar_url),
      path: paths.post(post),
      type: 'article',
    }
  }
  const username = profilePath.exec(path)?.[1]
  if (!username) return null
  const [found] = await visitor.rows<ProfileRow>(sql`
    select coalesce(p.display_name, p.username) as name, p.username, p.bio, p.avatar_url, p.cover_url, p.is_private
    from public.profiles p where p.username = ${username.toLowerCase()}`)
  if (!found || found.is_private) return null
  const cover = ownPicture(found.cover_url)
  return {
    title: `${found.name} (@${found.username})`,
    description: shorten(found.bio ?? '', false),
    picture: cover ?? ownPicture(found.avatar_url),
    isWide: cover !== null,
    path: paths.profile(found.username),
    type: 'profile',
  }
}

/** A free picture of the post, or the free cover of a locked one, or its author. */
function pictureOf({ image, is_locked, cover_path, avatar_url }: PostRow): string | null {
  const address = (path: string) => path.split('/').map(encodeURIComponent).join('/')
  if (image) return `/storage/v1/object/posts/${address(image)}`
  return is_locked && cover_path ? `/storage/v1/object/public/covers/${address(cover_path)}` : ownPicture(avatar_url)
}

const publicPath = '/storage/v1/object/public/'

/** The path of an avatar or banner on this site. A profile may hold any text in its place, such as another site's URL or a script. */
function ownPicture(url: string | null): string | null {
  const at = url?.indexOf(publicPath) ?? -1
  return url === null || at === -1 ? null : url.slice(at)
}

type PostRow = {
  title: string | null
  content: string | null
  is_locked: boolean
  image: string | null
  cover_path: string | null
  creator: string
  avatar_url: string | null
}
type ProfileRow = {
  name: string
  username: string
  bio: string | null
  avatar_url: string | null
  cover_url: string | null
  is_private: boolean
}

function shorten(text: string, goesOn: boolean): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= descriptionLength) return goesOn ? `${line}…` : line
  // Not inside an emoji's surrogate pair.
  const start = line.slice(0, descriptionLength - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${start.trimEnd()}…`
}

/** Adds a preview to the app's document. Without one, the document stays unchanged. */
export function withLinkPreview(html: string, preview: LinkPreview | null, siteUrl: string, siteName: string): string {
  if (!preview) return html
  const { title, description, picture, isWide, path, type } = preview
  const image = picture && URL.parse(picture, siteUrl)?.href
  const tags = [
    ['og:type', type],
    ['og:site_name', siteName],
    ['og:title', title],
    ['og:description', description],
    ['og:url', new URL(path, siteUrl).href],
    ['og:image', image],
    ['twitter:card', image && isWide ? 'summary_large_image' : 'summary'],
  ].flatMap(([property, content]) =>
    content ? [`<meta property="${property}" content="${escapeHtml(content)}" />`] : [],
  )
  const described = description ? [`<meta name="description" content="${escapeHtml(description)}" />`] : []
  // A function, because a text may contain `$&`, which a replacement string would interpret.
  return html.replace('</head>', () => `  ${[...described, ...tags].join('\n    ')}\n  </head>`)
}
