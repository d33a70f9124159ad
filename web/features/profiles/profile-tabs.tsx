import { Tabs } from '@mantine/core'
import { profileTexts } from '@ovation/contract/texts/profile'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useBlocked } from '../../domain/blocks/use-block.ts'
import type { Accent } from '../../domain/creators/accent.ts'
import { PostList } from '../../domain/posts/post-list.tsx'
import { creatorPostsQuery, type Post, pinnedPostsQuery } from '../../domain/posts/queries.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import type { Profile } from './queries.ts'
import { tabsOf } from './tabs-of.ts'

// The other tabs' code loads when they open.
const Plans = lazy(() => import('../../domain/subscriptions/plans.tsx'))
const SessionOffers = lazy(() => import('../../domain/private-sessions/session-offers.tsx'))
const ProfileProducts = lazy(() => import('../../domain/products/profile-products.tsx'))
const NoPosts = lazy(() => import('./no-posts.tsx'))
const About = lazy(() => import('./about.tsx'))
const SubscriptionFacts = lazy(() => import('./subscription-facts.tsx'))
const MediaGrid = lazy(() => import('./media-grid.tsx'))

const { tabs } = profileTexts
/** A link scrolls to the plans right below the top bar, without a slice of the row above, and while they load: hence the height. */
const scrolledTo = { scrollMarginTop: '-0.75rem', minHeight: 'calc(100dvh - var(--top-bar) - var(--bottom-bar))' }

/** PROF-14. The URL has the open tab, unless it is the first one. */
export function ProfileTabs({ profile, own, accent }: { profile: Profile; own: boolean; accent: Accent }) {
  const [parameters, setParameters] = useSearchParams()
  const blocked = useBlocked(profile.id)
  const closed = blocked ? 'blocked' : profile.is_private && !own && 'private'
  const requested = parameters.get('tab')
  const { names, open: tab } = tabsOf(profile, requested)
  const { layout } = profile

  const top = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  const { key } = useLocation()
  // A link to the plans shows them (LOOP-05). Pressing their tab, or returning to a scroll position, doesn't scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useEffect(() => {
    if (requested === 'subscribe' && tab === requested && !pressed.current && window.scrollY === 0)
      top.current?.scrollIntoView()
    pressed.current = false
  }, [key])

  const open = (next: string | null) => {
    pressed.current = true
    setParameters(next === names[0] || !next ? {} : { tab: next }, { replace: true, preventScrollReset: true })
  }

  return (
    <Tabs
      // A name of its own: Mantine's is random, and the server's another one than the browser's.
      id="profile-tabs"
      value={tab}
      onChange={open}
      keepMounted={false}
      ref={top}
      {...accent}
      style={{ ...accent.style, ...(tab === 'subscribe' && scrolledTo) }}
    >
      <TabStrip label={profileTexts.title} names={names} open={tab} words={tabs} />
      <Suspense fallback={<ListSkeleton rows={2} shape="card" />}>
        <Tabs.Panel value="posts">
          <Posts creatorId={profile.id} closed={closed} own={own} featuredId={layout?.featured_post_id ?? null} />
        </Tabs.Panel>
        <Tabs.Panel value="media">
          <MediaGrid creatorId={profile.id} closed={closed} />
        </Tabs.Panel>
        {profile.is_verified && (
          <Tabs.Panel value="subscribe">
            {(layout?.shows_subscriber_count || layout?.shows_post_count) && (
              <SubscriptionFacts creatorId={profile.id} />
            )}
            <Plans creatorId={profile.id} own={own} />
            <ProfileProducts creatorId={profile.id} />
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

type PostsProps = ComponentProps<typeof MediaGrid> & { own: boolean; featuredId: string | null }

function Posts({ creatorId, closed, own, featuredId }: PostsProps) {
  // If the pinned posts can't be read, they keep their chronological position.
  const { data: pinned, isPending } = useInfiniteQuery(pinnedPostsQuery(creatorId, featuredId))
  // Stable, so that TanStack Query keeps unchanged pages identical.
  const select = useCallback(
    (posts: InfiniteData<Post[]>) => withFirst(pinned?.pages[0] ?? [], posts, featuredId),
    [pinned, featuredId],
  )
  const posts = useInfiniteQuery({ ...creatorPostsQuery(creatorId), select })
  if (isPending) return <ListSkeleton rows={3} shape="post" />
  return (
    <PostList
      posts={posts}
      empty={
        <Suspense fallback={<ListSkeleton />}>
          <NoPosts closed={closed} own={own} />
        </Suspense>
      }
    />
  )
}

/** Moves the featured post (PAGE-01) and pinned ones (POST-08, D28) to the top. A post that was just unpinned returns to its position. */
function withFirst(pinned: Post[], posts: InfiniteData<Post[]>, featuredId: string | null): InfiniteData<Post[]> {
  const first: Post[] = pinned.flatMap((post) =>
    post.id === featuredId ? [{ ...post, mark: profileTexts.featured }] : [],
  )
  first.push(...pinned.filter((post) => post.is_pinned && post.id !== featuredId))
  const ids = new Set(first.map(({ id }) => id))
  const pages = posts.pages.map((page) => page.filter(({ id }) => !ids.has(id)))
  return { ...posts, pages: [[...first, ...(pages[0] ?? [])], ...pages.slice(1)] }
}
