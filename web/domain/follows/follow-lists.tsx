import { Stack, Tabs } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { followsTexts as texts } from '@ovation/contract/texts/follows'
import { IconUsers } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '../../lib/format/format-number.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { PersonRows } from '../../ui/person-row.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './follow-lists.module.css'
import { type FollowList, followListQuery } from './queries.ts'
import { UserRow } from './user-row.tsx'

type Props = {
  profile: { id: string; followers_count: number; following_count: number }
  name: string
  opened: FollowList
  onClose: () => void
}

/** A profile's followers and following, searchable and paged (PROF-18). Each name links to its profile. */
export default function FollowLists({ profile, name, opened, onClose }: Props) {
  const [list, setList] = useState<FollowList>(opened)
  const [search, setSearch] = useState('')
  const [settledSearch] = useDebouncedValue(search.trim(), 250)
  return (
    <Dialog title={texts.title(name)} onClose={onClose} size="lg" fullScreenOnPhone>
      <Tabs value={list} onChange={(next) => setList(next as FollowList)} keepMounted={false}>
        {/* Two counts in the millions fit side by side on a phone. */}
        <Tabs.List grow>
          <Tabs.Tab px="xs" value="followers">
            {texts.followers(formatCount(profile.followers_count))}
          </Tabs.Tab>
          <Tabs.Tab px="xs" value="following">
            {texts.following(formatCount(profile.following_count))}
          </Tabs.Tab>
        </Tabs.List>
        <SearchField
          label={texts.search}
          className={classes.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          data-autofocus
        />
        {(['followers', 'following'] as const).map((each) => (
          <Tabs.Panel key={each} value={each}>
            <People profileId={profile.id} list={each} search={settledSearch} onLeave={onClose} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Dialog>
  )
}

type PeopleProps = { profileId: string; list: FollowList; search: string; onLeave: () => void }

function People({ profileId, list, search, onLeave }: PeopleProps) {
  const query = useInfiniteQuery(followListQuery(profileId, list, search))
  return (
    <PagedList
      query={query}
      rows={query.data?.pages.flat()}
      pending={<ListSkeleton rows={4} />}
      failed={{ title: texts.loadFailed }}
      empty={
        <EmptyState
          icon={<IconUsers size={26} stroke={1.5} />}
          {...(search ? texts.noMatches(search) : list === 'followers' ? texts.noFollowers : texts.noFollowing)}
        />
      }
      moreFailed={texts.moreFailed}
    >
      {(_rows, more) => (
        <>
          <Stack gap="sm">
            {query.data?.pages.map((page) => (
              <PersonRows key={page[0]?.id ?? 'end'}>
                {page.map((user) => (
                  <UserRow key={user.id} user={user} listed={page.map(({ id }) => id)} onLeave={onLeave} />
                ))}
              </PersonRows>
            ))}
          </Stack>
          {more}
        </>
      )}
    </PagedList>
  )
}
