import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ScheduledPosts } from '../scheduling/scheduled-posts.tsx'
import panelClasses from './panel.module.css'
import { PostRows } from './post-rows.tsx'
import { ownPostsQuery } from './queries.ts'
import { WholeList } from './whole-list.tsx'

const texts = dashboardTexts.content

export function ContentTab({ profileId }: { profileId: string }) {
  const query = useInfiniteQuery(ownPostsQuery(profileId))
  return (
    <>
      <ScheduledPosts profileId={profileId} />
      <WholeList query={query} empty={texts.empty} failure={texts.loadFailed}>
        {(posts) => (
          <section className={`surface ${panelClasses.panel}`} aria-label={texts.title}>
            <PostRows posts={posts} />
          </section>
        )}
      </WholeList>
    </>
  )
}
