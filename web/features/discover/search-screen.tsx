import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { searchTexts } from '@ovation/contract/texts/discover'
import { IconUserSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import type { FoundUser } from '../../domain/follows/found-user.ts'
import { UserRow } from '../../domain/follows/user-row.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { PersonRows } from '../../ui/person-row.tsx'
import { userSearchQuery } from './queries.ts'

/** SRCH-01 */
export function SearchScreen() {
  const query = useSearchParams()[0].get('q')?.trim() ?? ''
  if (!query)
    return (
      <Page title={searchTexts.title} heading={null}>
        <EmptyState order={1} icon={<IconUserSearch size={26} stroke={1.5} />} {...searchTexts.nothingAsked} />
      </Page>
    )
  return (
    <Page title={searchTexts.heading(query)}>
      <Results query={query} />
    </Page>
  )
}

function Results({ query }: { query: string }) {
  const users = useQuery(userSearchQuery(query))
  if (users.isPending) return <ListSkeleton rows={5} />
  if (users.isError) return <LoadFailed title={searchTexts.loadFailed} of={users} />
  if (users.data.length === 0)
    return (
      <EmptyState
        icon={<IconUserSearch size={26} stroke={1.5} />}
        title={searchTexts.empty(query)}
        message={searchTexts.emptyHint}
        action={
          <Button component={Link} to={paths.explore} variant="default">
            {searchTexts.explore}
          </Button>
        }
      />
    )
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
