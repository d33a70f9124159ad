import { postTexts } from '@ovation/contract/texts/posts'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { memo, type ReactNode, useMemo } from 'react'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Reactions } from '../reactions/reactions.tsx'
import { PostCard } from './post-card.tsx'
import classes from './post-list.module.css'
import { PostMediaLinks } from './post-media.tsx'
import { PostWindow } from './post-window.tsx'
import type { Post } from './queries.ts'
import { Unlocks } from './unlocks.tsx'

/** The number of posts in a virtualized block. A phone shows one or two at a time. */
const windowSize = 2

type Props = { posts: UseInfiniteQueryResult<InfiniteData<Post[]>>; empty: ReactNode; failure?: string }

/** Pages of posts, in one of four states. The next page loads before the end is reached (HOME-05). */
export function PostList({ posts, empty, failure = postTexts.loadFailed }: Props) {
  return (
    <PagedList
      query={posts}
      rows={posts.data?.pages.flat()}
      pending={<ListSkeleton rows={3} shape="post" />}
      failed={{ title: failure }}
      empty={empty}
      moreFailed={postTexts.loadMoreFailed}
    >
      {(_rows, more) => (
        <div className={classes.list}>
          {posts.data?.pages.map(
            (page, index, pages) =>
              page[0] && <PostPage key={page[0].id} posts={page} previous={pages[index - 1]} first={index === 0} />,
          )}
          {posts.hasNextPage ? more : <p className={classes.end}>{postTexts.end}</p>}
        </div>
      )}
    </PagedList>
  )
}

type PageProps = {
  posts: Post[]
  /** The page before. */
  previous: Post[] | undefined
  first: boolean
}

/**
 * A page of posts, with one request for its media links, one for what unlocks it, and two for the viewer's reactions. Memoized, so that
 * loading another page doesn't re-render this one.
 */
const PostPage = memo(function PostPage({ posts, previous, first }: PageProps) {
  const media = useMediaLinks(posts.flatMap((post) => post.media_urls))
  const postIds = useMemo(() => posts.map((post) => post.id), [posts])
  const windows = Array.from({ length: Math.ceil(posts.length / windowSize) }, (_, index) =>
    posts.slice(index * windowSize, (index + 1) * windowSize),
  )
  const [top] = posts
  if (!top) return null
  return (
    <PostMediaLinks value={media}>
      <Reactions postIds={postIds}>
        <Unlocks posts={posts} previous={previous}>
          <PostWindow of="page" id={`page ${top.id}`} first={first} className={classes.page}>
            {windows.map(
              (some, index) =>
                some[0] && (
                  <PostWindow
                    key={some[0].id}
                    of="posts"
                    id={some[0].id}
                    first={first && index === 0}
                    className={classes.posts}
                  >
                    {some.map((post) => (
                      <PostCard key={post.id} post={post} />
                    ))}
                  </PostWindow>
                ),
            )}
          </PostWindow>
        </Unlocks>
      </Reactions>
    </PostMediaLinks>
  )
})
