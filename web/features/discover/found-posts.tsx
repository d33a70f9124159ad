import { searchTexts } from '@ovation/contract/texts/discover'
import { useInfiniteQuery } from '@tanstack/react-query'
import { PostList } from '../../domain/posts/post-list.tsx'
import { NothingFound } from './nothing-found.tsx'
import { postSearchQuery } from './search-queries.ts'

/** The posts that a search found (LOOP-10). */
export default function FoundPosts({ query }: { query: string }) {
  const posts = useInfiniteQuery(postSearchQuery(query))
  return (
    <PostList
      posts={posts}
      failure={searchTexts.loadFailed}
      empty={<NothingFound title={searchTexts.noPosts(query)} />}
    />
  )
}
