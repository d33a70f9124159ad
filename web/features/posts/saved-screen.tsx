import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { postTexts } from '@ovation/contract/texts/posts'
import { IconBookmark } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { PostList } from '../../domain/posts/post-list.tsx'
import { savedQuery } from '../../domain/posts/queries.ts'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'

/** `/saved`: the viewer's saved posts (DATA-37). */
export function SavedScreen() {
  return (
    <Page title={postTexts.savedPosts}>
      <ForViewer skeleton={<ListSkeleton rows={3} shape="post" />}>{(viewer) => <Saved viewer={viewer} />}</ForViewer>
    </Page>
  )
}

function Saved({ viewer }: { viewer: Viewer }) {
  const posts = useInfiniteQuery(savedQuery(viewer.profileId))
  return (
    <PostList
      posts={posts}
      failure={postTexts.savedFailed}
      empty={
        <EmptyState
          icon={<IconBookmark size={26} stroke={1.5} />}
          {...postTexts.noneSaved}
          action={
            <Button component={Link} to={paths.explore} variant="default">
              {postTexts.exploreAll}
            </Button>
          }
        />
      }
    />
  )
}
