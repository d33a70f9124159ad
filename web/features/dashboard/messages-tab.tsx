import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { massMessageTexts } from '@ovation/contract/texts/mass-messages'
import { IconClock, IconPencil, IconPlus, IconSend } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { type MassKind, massKinds, massMessagesQuery, offerMutesQuery } from '../../domain/mass-messages/queries.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Segments } from '../../ui/segments.tsx'
import { MassRows } from './mass-rows.tsx'
import classes from './messages-tab.module.css'

const texts = massMessageTexts.tab
const icons = { history: IconSend, scheduled: IconClock, draft: IconPencil }

/** The creator's mass messages: those sent, those that wait, and those being written (MASS-01..MASS-04). */
export default function MessagesTab({ profileId }: { profileId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const requested = parameters.get('show')
  const kind = massKinds.find((known) => known === requested) ?? 'history'
  const open = (next: MassKind) =>
    setParameters(
      { tab: 'messages', ...(next !== 'history' && { show: next }) },
      { replace: true, preventScrollReset: true },
    )
  return (
    <>
      <div className={classes.tools}>
        <Segments
          aria-label={texts.views}
          value={kind}
          onChange={open}
          data={massKinds.map((value) => ({ value, label: texts.kinds[value] }))}
        />
        <Button
          component={Link}
          to={paths.newMassMessage()}
          leftSection={<IconPlus size={17} stroke={1.75} aria-hidden="true" />}
        >
          {texts.create}
        </Button>
      </div>
      <Mutes profileId={profileId} />
      <Messages key={kind} profileId={profileId} kind={kind} />
    </>
  )
}

/** How many fans don't want offers, if any (MASS-05). */
function Mutes({ profileId }: { profileId: string }) {
  const { data: count } = useQuery(offerMutesQuery(profileId))
  return count ? <p className={classes.mutes}>{texts.mutes(count, formatCount(count))}</p> : null
}

function Messages({ profileId, kind }: { profileId: string; kind: MassKind }) {
  const query = useInfiniteQuery(massMessagesQuery(profileId, kind))
  const Icon = icons[kind]
  return (
    <PagedList
      query={query}
      rows={query.data?.pages.flat()}
      pending={<ListSkeleton rows={4} />}
      failed={{ title: texts.loadFailed }}
      empty={<EmptyState icon={<Icon size={26} stroke={1.5} />} {...texts.empty[kind]} />}
      moreFailed={texts.moreFailed}
    >
      {(rows, more) => (
        <>
          <MassRows rows={rows} profileId={profileId} label={texts.kinds[kind]} />
          {more}
        </>
      )}
    </PagedList>
  )
}
