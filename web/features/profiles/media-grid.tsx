import { Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { profileTexts } from '@ovation/contract/texts/profile'
import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { IconLock, IconPhoto, IconPlayerPlay } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PostImage } from '../../domain/posts/post-image.tsx'
import { creatorPostsQuery, type MediaPreview, type Post } from '../../domain/posts/queries.ts'
import VideoPoster from '../../domain/posts/video-poster.tsx'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { postCover } from '../../lib/media/public-image.ts'
import { BlurredPreview } from '../../ui/blurred-preview.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import ClosedProfile from './closed-profile.tsx'
import classes from './media-grid.module.css'

type Props = {
  creatorId: string
  /** Why the viewer can't see the media, if they can't. */
  closed: 'private' | 'blocked' | false
}

/** A creator's photos and videos, newest first; locked ones show a blurred preview with a lock. Each links to its post. */
export default function MediaGrid({ creatorId, closed }: Props) {
  const posts = useInfiniteQuery(creatorPostsQuery(creatorId))
  return (
    <PagedList
      query={posts}
      rows={posts.data?.pages.flat().filter((post) => post.media_types.length > 0)}
      pending={<GridSkeleton />}
      failed={{ title: postTexts.loadFailed }}
      empty={
        closed ? (
          <ClosedProfile blocked={closed === 'blocked'} />
        ) : (
          <EmptyState icon={<IconPhoto size={26} stroke={1.5} />} {...profileTexts.noMedia} />
        )
      }
      moreFailed={postTexts.loadMoreFailed}
    >
      {(_rows, more) => (
        <>
          <div className={classes.grid}>
            {posts.data?.pages.map((page) => page.length > 0 && <Tiles key={page[0]?.id} posts={page} />)}
          </div>
          {more}
        </>
      )}
    </PagedList>
  )
}

const GridSkeleton = () => (
  <div className={classes.grid}>
    {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
      <Skeleton key={place} className={classes.tile} height="auto" radius="sm" />
    ))}
  </div>
)

function Tiles({ posts }: { posts: Post[] }) {
  const { links, pending } = useMediaLinks(posts.flatMap((post) => post.media_urls))
  return posts.flatMap((post) =>
    post.media_types.map((type, index) => {
      const path = post.media_urls[index]
      const url = path && links.get(path)
      return (
        <Link key={`${post.id} ${path ?? index}`} to={paths.post(post.id)} className={classes.tile}>
          <span className="visually-hidden">{`${post.title ?? (type === 'image' ? postTexts.photos(1) : postTexts.videos(1))}${post.is_locked ? `, ${profileTabsTexts.lockedMedia}` : ''}`}</span>
          <Tile
            locked={post.is_locked}
            preview={post.media_previews[index]}
            // Of a locked post, the cover stands for its first file.
            cover={index === 0 ? post.cover_path : null}
            type={type}
            url={url}
            pending={pending}
          />
        </Link>
      )
    }),
  )
}

type TileProps = {
  locked: boolean
  /** Public, also of a locked file. */
  preview: MediaPreview | undefined
  /** The free cover of a locked post. */
  cover: string | null
  type: 'image' | 'video'
  url: string | undefined
  pending: boolean
}

function Tile({ locked, preview, cover, type, url, pending }: TileProps) {
  if (locked)
    return (
      <>
        {cover ? (
          <img className={classes.cover} src={postCover(cover)} alt="" loading="lazy" />
        ) : (
          preview?.preview && <BlurredPreview preview={preview.preview} />
        )}
        <span className={cover || preview?.preview ? classes.play : classes.mark}>
          <IconLock size={24} stroke={1.5} aria-hidden="true" />
        </span>
      </>
    )
  if (pending) return <Skeleton height="100%" radius={0} />
  if (type === 'video' && preview?.preview) return <VideoPoster url={url} preview={preview} />
  if (type === 'image') return <PostImage url={url} alt="" share={1 / 3} focus={preview?.focus} />
  return (
    <>
      {/* Without a poster, the video's first frame takes its place. */}
      <video className={classes.video} src={url && `${url}#t=0.1`} preload="metadata" muted playsInline tabIndex={-1} />
      <span className={classes.play}>
        <IconPlayerPlay size={22} stroke={1.6} aria-hidden="true" />
      </span>
    </>
  )
}
