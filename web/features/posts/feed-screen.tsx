import { Button } from '@mantine/core'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconArrowUp } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import classes from '../../domain/posts/post-list.module.css'
import { PostList } from '../../domain/posts/post-list.tsx'
import { feedQuery } from '../../domain/posts/queries.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { focusFirst } from '../../lib/browser/focus-first.ts'
import { Page } from '../../ui/page.tsx'
import { useNewPosts } from './use-new-posts.ts'

const StoryRings = lazy(() => import('../../domain/stories/story-rings.tsx'))

type Props = {
  /** Beside the heading: the composer, or the link to become a creator (HOME-03, D37). */
  compose: ReactNode
  /** Replaces an empty feed (HOME-06). */
  empty: ReactNode
}

/** HOME-01 */
export function FeedScreen({ compose, empty }: Props) {
  const feed = useInfiniteQuery(feedQuery())
  const viewer = useViewer()
  const fresh = useNewPosts(viewer?.profileId)
  const show = () => {
    fresh.show()
    // The button disappears: focus the first new post.
    setTimeout(() => focusFirst(document.querySelector('main article')))
  }
  return (
    <Page title={postTexts.home} actions={compose}>
      {viewer && (
        <Suspense>
          <StoryRings viewer={viewer} followed={fresh.followed} />
        </Suspense>
      )}
      {/* Always mounted, so that screen readers announce its content. */}
      <div role="status" className={classes.fresh}>
        {fresh.count > 0 && (
          <Button
            variant="default"
            radius="xl"
            size="sm"
            leftSection={<IconArrowUp size={17} stroke={1.8} />}
            onClick={show}
          >
            {postTexts.newPosts(fresh.count)}
          </Button>
        )}
      </div>
      <PostList posts={feed} empty={empty} />
    </Page>
  )
}
