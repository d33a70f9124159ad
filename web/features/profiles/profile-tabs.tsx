import { Tabs } from '@mantine/core'
import { profileTexts } from '@ovation/contract/texts/profile'
import { IconFeather } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import { PostList } from '../posts/post-list.tsx'
import { creatorPostsQuery } from '../posts/queries.ts'
import { useBlocked } from '../safety/use-block.ts'
import { ClosedProfile } from './closed-profile.tsx'
import type { Profile } from './queries.ts'

// What stands behind the other tabs loads when it is asked for.
const Plans = lazy(() => import('../subscriptions/plans.tsx'))
const SessionOffers = lazy(() => import('../sessions/session-offers.tsx'))
const About = lazy(() => import('./about.tsx'))
const MediaGrid = lazy(() => import('./media-grid.tsx'))

const { tabs } = profileTexts
const withPlans = ['posts', 'media', 'subscribe', 'about'] as const
const withoutPlans = ['posts', 'media', 'about'] as const

/** PROF-14. The open tab stands in the address. "Subscribe" is there for whoever may sell. */
export function ProfileTabs({ profile, own }: { profile: Profile; own: boolean }) {
  const [parameters, setParameters] = useSearchParams()
  const sells = profile.is_verified
  const blocked = useBlocked(profile.id)
  const closed = blocked ? 'blocked' : profile.is_private && !own && 'private'
  const asked = parameters.get('tab') ?? 'posts'
  const names = sells ? withPlans : withoutPlans
  const tab = names.find((name) => name === asked) ?? 'posts'

  const open = (next: string | null) =>
    setParameters(next === 'posts' || !next ? {} : { tab: next }, { replace: true, preventScrollReset: true })

  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <TabStrip label={profileTexts.title} names={names} open={tab} words={tabs} />
      <Suspense fallback={<ListSkeleton rows={2} shape="card" />}>
        <Tabs.Panel value="posts">
          <Posts creatorId={profile.id} closed={closed} />
        </Tabs.Panel>
        <Tabs.Panel value="media">
          <MediaGrid creatorId={profile.id} closed={closed} />
        </Tabs.Panel>
        {sells && (
          <Tabs.Panel value="subscribe">
            <Plans creatorId={profile.id} own={own} />
            <SessionOffers creatorId={profile.id} own={own} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="about">
          <About profile={profile} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  )
}

function Posts({ creatorId, closed }: ComponentProps<typeof MediaGrid>) {
  const posts = useInfiniteQuery(creatorPostsQuery(creatorId))
  return (
    <PostList
      posts={posts}
      empty={
        closed ? (
          <ClosedProfile blocked={closed === 'blocked'} />
        ) : (
          <EmptyState icon={<IconFeather size={26} stroke={1.5} />} {...profileTexts.noPosts} />
        )
      }
    />
  )
}
