import { postTexts } from '@ovation/contract/texts/posts'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Page } from '../../ui/page.tsx'
import { PostList } from './post-list.tsx'
import { feedQuery } from './queries.ts'

type Props = {
  /** Beside the heading: the composer, or the way to become a creator (HOME-03, D37). */
  compose: ReactNode
  /** In place of an empty feed (HOME-06). */
  empty: ReactNode
}

/** HOME-01 */
export function FeedScreen({ compose, empty }: Props) {
  const feed = useInfiniteQuery(feedQuery())
  return (
    <Page title={postTexts.home} actions={compose}>
      <PostList posts={feed} empty={empty} />
    </Page>
  )
}
