import { Tabs } from '@mantine/core'
import { profileTexts } from '@ovation/contract/texts/profile'
import { IconFeather } from '@tabler/icons-react'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { PostList } from '../../domain/posts/post-list.tsx'
import { creatorPostsQuery, type Post, pinnedPostsQuery } from '../../domain/posts/queries.ts'
import { useBlocked } from '../../domain/safety/use-block.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import type { Profile } from './queries.ts'

// The other tabs' code loads when they open.
const Plans = lazy(() => import('../../domain/subscriptions/plans.tsx'))
const SessionOffers = lazy(() => import('../../domain/private-sessions/session-offers.tsx'))
const ClosedProfile = lazy(() => import('./closed-profile.tsx'))
const About = lazy(() => import('./about.tsx'))
const MediaGrid = lazy(() => import('./media-grid.tsx'))
const ComposeButton = lazy(() =>
  import('../../domain/composer/compose-button.tsx').then((module) => ({ default: module.ComposeButton })),
)

const { tabs } = profileTexts
/** A link scrolls to the plans right below the top bar, without a slice of the row above, and while they load: hence the height. */
const scrolledTo = { scrollMarginTop: '-0.75rem', minHeight: 'calc(100dvh - var(--top-bar) - var(--bottom-bar))' }
const withPlans = ['posts', 'media', 'subscribe', 'about'] as const
const withoutPlans = ['posts', 'media', 'about'] as const

/** PROF-14. The URL has the open tab. "Subscribe" is there for profiles that may sell. */
export function ProfileTabs({ profile, own }: { profile: Profile; own: boolean }) {
  const [parameters, setParameters] = useSearchParams()
  const sells = profile.is_verified
  const blocked = useBlocked(profile.id)
  const closed = blocked ? 'blocked' : profile.is_private && !own && 'private'
  const requested = parameters.get('tab') ?? 'posts'
  const names = sells ? withPlans : withoutPlans
  const tab = names.find((name) => name === requested) ?? 'posts'

  const top = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  const { key } = useLocation()
  // A link to the plans shows them (LOOP-05). Pressing their tab, or returning to a scroll position, doesn't scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useEffect(() => {
    if (tab === 'subscribe' && !pressed.current && window.scrollY === 0) top.current?.scrollIntoView()
    pressed.current = false
  }, [key])

  const open = (next: string | null) => {
    pressed.current = true
    setParameters(next === 'posts' || !next ? {} : { tab: next }, { replace: true, preventScrollReset: true })
  }

  return (
    <Tabs
      // A name of its own: Mantine's is random, and the server's another one than the browser's.
      id="profile-tabs"
      value={tab}
      onChange={open}
      keepMounted={false}
      ref={top}
      {...(tab === 'subscribe' && { style: scrolledTo })}
    >
      <TabStrip label={profileTexts.title} names={names} open={tab} words={tabs} />
      <Suspense fallback={<ListSkeleton rows={2} shape="card" />}>
        <Tabs.Panel value="posts">
          <Posts creatorId={profile.id} closed={closed} own={own} />
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

function Posts({ creatorId, closed, own }: ComponentProps<typeof MediaGrid> & { own: boolean }) {
  // If the pinned posts can't be read, they keep their chronological position.
  const { data: pinned, isPending } = useInfiniteQuery(pinnedPostsQuery(creatorId))
  // Stable, so that TanStack Query keeps unchanged pages identical.
  const select = useCallback((posts: InfiniteData<Post[]>) => withFirst(pinned?.pages[0] ?? [], posts), [pinned])
  const posts = useInfiniteQuery({ ...creatorPostsQuery(creatorId), select })
  if (isPending) return <ListSkeleton rows={3} shape="post" />
  return (
    <PostList
      posts={posts}
      empty={
        closed ? (
          <Suspense fallback={<ListSkeleton />}>
            <ClosedProfile blocked={closed === 'blocked'} />
          </Suspense>
        ) : (
          <EmptyState
            icon={<IconFeather size={26} stroke={1.5} />}
            {...profileTexts.noPosts}
            action={
              own && (
                <Suspense>
                  <ComposeButton />
                </Suspense>
              )
            }
          />
        )
      }
    />
  )
}

/** Moves pinned posts to the top (POST-08, D28). A post that was just unpinned returns to its position. */
function withFirst(pinned: Post[], posts: InfiniteData<Post[]>): InfiniteData<Post[]> {
  const first = pinned.filter((post) => post.is_pinned)
  const ids = new Set(first.map(({ id }) => id))
  const pages = posts.pages.map((page) => page.filter(({ id }) => !ids.has(id)))
  return { ...posts, pages: [[...first, ...(pages[0] ?? [])], ...pages.slice(1)] }
}
