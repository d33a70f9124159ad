import { Tabs } from '@mantine/core'
import { searchTexts } from '@ovation/contract/texts/discover'
import { IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import type { FoundUser } from '../../domain/follows/found-user.ts'
import { UserRow } from '../../domain/follows/user-row.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { PersonRows } from '../../ui/person-row.tsx'
import { TabStrip } from '../../ui/tab-strip.tsx'
import { NothingFound } from './nothing-found.tsx'
import { userSearchQuery } from './search-queries.ts'

// The other tabs' code loads when they open.
const FoundPosts = lazy(() => import('./found-posts.tsx'))
const FoundTags = lazy(() => import('./found-tags.tsx'))

const tabs = ['people', 'posts', 'tags'] as const

/** SRCH-01, LOOP-10 */
export function SearchScreen() {
  const [parameters, setParameters] = useSearchParams()
  const query = parameters.get('q')?.trim() ?? ''
  const tab = tabs.find((name) => name === parameters.get('in')) ?? 'people'
  if (!query)
    return (
      <Page title={searchTexts.title} heading={null}>
        <EmptyState order={1} icon={<IconUserSearch size={26} stroke={1.5} />} {...searchTexts.nothingAsked} />
      </Page>
    )
  const open = (next: string | null) =>
    setParameters(next && next !== 'people' ? { q: query, in: next } : { q: query }, {
      replace: true,
      preventScrollReset: true,
    })
  return (
    <Page title={searchTexts.heading(query)}>
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <TabStrip label={searchTexts.results} names={tabs} open={tab} words={searchTexts.tabs} />
        <Suspense fallback={<ListSkeleton rows={5} />}>
          <Tabs.Panel value="people">
            <People query={query} />
          </Tabs.Panel>
          <Tabs.Panel value="posts">
            <FoundPosts query={query} />
          </Tabs.Panel>
          <Tabs.Panel value="tags">
            <FoundTags query={query} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </Page>
  )
}

function People({ query }: { query: string }) {
  const users = useQuery(userSearchQuery(query))
  if (users.isPending) return <ListSkeleton rows={5} />
  if (users.isError) return <LoadFailed title={searchTexts.loadFailed} of={users} />
  if (users.data.length === 0) return <NothingFound title={searchTexts.empty(query)} />
  return <UserList users={users.data} />
}

function UserList({ users }: { users: FoundUser[] }) {
  const ids = users.map((user) => user.id)
  return (
    <PersonRows>
      {users.map((user) => (
        <UserRow key={user.id} user={user} listed={ids} />
      ))}
    </PersonRows>
  )
}
