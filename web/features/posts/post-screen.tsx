import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTitle } from '@ovation/contract/texts/page-titles'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconFileOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { justBought } from '../../domain/payments/paid-message.ts'
import { Returning } from '../../domain/payments/returning.tsx'
import { PostCard } from '../../domain/posts/post-card.tsx'
import { PostMediaLinks } from '../../domain/posts/post-media.tsx'
import { type Post, postQuery } from '../../domain/posts/queries.ts'
import { Unlocks } from '../../domain/posts/unlocks.tsx'
import { Reactions } from '../../domain/reactions/reactions.tsx'
import { nameOf } from '../../lib/auth/viewer.ts'
import { useMediaLinks } from '../../lib/media/media-links.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'

const FurtherPosts = lazy(() => import('./further-posts.tsx'))
const JustBought = lazy(() => import('./just-bought.tsx'))

/** `/post/:id`: a single post with a shareable URL. */
export function PostScreen() {
  const { id = '' } = useParams()
  const post = useQuery(postQuery(id))

  if (post.isPending) return <Frame>{<ListSkeleton rows={1} shape="post" />}</Frame>
  if (post.isError && !post.data)
    return (
      <Frame>
        <LoadFailed order={1} title={postTexts.oneFailed} of={post} />
      </Frame>
    )
  if (!post.data)
    return (
      <Frame>
        {/* Also for a post that was deleted in the meantime. */}
        <Returning />
        <EmptyState
          order={1}
          icon={<IconFileOff size={26} stroke={1.5} />}
          {...postTexts.notFound}
          action={
            <Button component={Link} to={paths.explore} variant="default">
              {postTexts.exploreAll}
            </Button>
          }
        />
      </Frame>
    )
  return <OnePost post={post.data} />
}

function OnePost({ post }: { post: Post }) {
  const media = useMediaLinks(post.media_urls)
  const name = postTexts.by(nameOf(post.creator))
  const posts = useMemo(() => [post], [post])
  const { state } = useLocation()
  return (
    <Page
      title={postTitle(post, nameOf(post.creator))}
      heading={null}
      width={post.media_urls.length > 0 ? 'pictures' : 'reading'}
    >
      {!post.title && <h1 className="visually-hidden">{name}</h1>}
      <Returning />
      {state === justBought && (
        <Suspense>
          <JustBought post={post} />
        </Suspense>
      )}
      <PostMediaLinks value={media}>
        <Reactions postIds={[post.id]}>
          <Unlocks posts={posts}>
            <PostCard post={post} alone />
          </Unlocks>
        </Reactions>
      </PostMediaLinks>
      <Suspense>
        <FurtherPosts post={post} />
      </Suspense>
    </Page>
  )
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <Page title={postTexts.post} heading={null}>
      {children}
    </Page>
  )
}
