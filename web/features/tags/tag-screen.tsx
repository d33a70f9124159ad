import { Button, Tabs } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { nameTexts } from '@ovation/contract/texts/names'
import { tagTitle } from '@ovation/contract/texts/page-titles'
import { IconHash } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { PostList } from '../../domain/posts/post-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import { taggedPostsQuery } from './queries.ts'

const TaggedComments = lazy(() => import('./tagged-comments.tsx'))

const { page: texts } = nameTexts
const tabs = ['posts', 'comments'] as const

/** `/tag/:tag`: everything with a tag that the viewer may see (TALK-01). */
export function TagScreen() {
  const { tag = '' } = useParams()
  const [parameters, setParameters] = useSearchParams()
  const tab = tabs.find((name) => name === parameters.get('show')) ?? 'posts'
  return (
    <Page title={tagTitle(tag.toLowerCase())}>
      <Tabs
        value={tab}
        onChange={(next) =>
          setParameters(next === 'comments' ? { show: next } : {}, { replace: true, preventScrollReset: true })
        }
        keepMounted={false}
      >
        <TabStrip label={texts.show} names={tabs} open={tab} words={texts} />
        <Tabs.Panel value="posts">
          <TaggedPosts tag={tag} />
        </Tabs.Panel>
        <Tabs.Panel value="comments">
          <Suspense fallback={<ListSkeleton rows={3} />}>
            <TaggedComments tag={tag} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function TaggedPosts({ tag }: { tag: string }) {
  const posts = useInfiniteQuery(taggedPostsQuery(tag))
  return (
    <PostList
      posts={posts}
      failure={texts.postsFailed}
      empty={
        <EmptyState
          icon={<IconHash size={26} stroke={1.5} />}
          {...texts.empty}
          action={
            <Button component={Link} to={paths.explore} variant="default">
              {texts.explore}
            </Button>
          }
        />
      }
    />
  )
}
