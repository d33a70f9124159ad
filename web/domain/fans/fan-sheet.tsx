import { Button, Group, Skeleton } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { fanTexts as texts } from '@ovation/contract/texts/fans'
import { restrictionTexts } from '@ovation/contract/texts/restrictions'
import { IconMessageCircle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatAgo } from '../../lib/format/format-ago.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import { restrict } from '../restrictions/restrict.ts'
import { restrictedAmongQuery } from '../restrictions/restricted-query.ts'
import { FanLists } from './fan-lists.tsx'
import { FanNotesForm } from './fan-notes-form.tsx'
import classes from './fan-sheet.module.css'
import { type FanSheet, fanNotesQuery, fanSheetQuery, type SpendingKind } from './queries.ts'

type Props = { viewerId: string; fan: { id: string; name: string }; onClose: () => void }

/** What a creator sees and notes of one fan (LIST-03, LIST-04). */
export default function FanSheetDialog({ viewerId, fan, onClose }: Props) {
  const sheet = useQuery(fanSheetQuery(viewerId, fan.id))
  const notes = useQuery(fanNotesQuery(viewerId, fan.id))
  const failed = sheet.isError ? sheet : notes.isError ? notes : undefined
  return (
    <Dialog title={texts.title(fan.name)} onClose={onClose} size="lg" fullScreenOnPhone>
      {sheet.data && notes.data ? (
        <div className={classes.sheet}>
          <Head fan={sheet.data} />
          <Facts fan={sheet.data} />
          <Spending fan={sheet.data} />
          <section>
            <h3 className={classes.title}>{texts.lists}</h3>
            <FanLists viewerId={viewerId} fanIds={[fan.id]} />
          </section>
          <Restriction fan={fan} />
          <FanNotesForm viewerId={viewerId} fanId={fan.id} notes={notes.data} />
        </div>
      ) : sheet.data === null ? (
        <p>{texts.missing}</p>
      ) : failed ? (
        <LoadFailed title={texts.loadFailed} of={failed} />
      ) : (
        <Skeleton height={420} />
      )}
    </Dialog>
  )
}

function Head({ fan }: { fan: FanSheet }) {
  const name = nameOf(fan)
  return (
    <div className={classes.head}>
      <ProfileAvatar name={name} src={publicImage(fan.avatar_url, fan.updated_at)} size={56} />
      <div className={classes.names}>
        <Link to={paths.profile(fan.username)} className={classes.name} dir="auto">
          {name}
        </Link>
        <span className={classes.dimmed}>@{fan.username}</span>
      </div>
      <Button
        component={Link}
        to={paths.conversation(fan.username)}
        variant="default"
        leftSection={<IconMessageCircle size={17} stroke={1.75} aria-hidden="true" />}
      >
        {texts.message}
      </Button>
    </div>
  )
}

function Facts({ fan }: { fan: FanSheet }) {
  const { facts } = texts
  return (
    <dl className={classes.facts}>
      <Fact label={facts.plan} value={fan.plan_name ?? facts.none} detail={describeSubscription(fan)} />
      <Fact
        label={facts.follows}
        value={fan.followed_at ? facts.followsSince(formatDate(fan.followed_at)) : facts.followsNot}
      />
      {fan.last_seen_at && <Fact label={facts.lastSeen} value={formatAgo(fan.last_seen_at)} />}
      {fan.came_by !== null && <Fact label={facts.cameBy} value={fan.came_by} />}
      <Fact label={facts.purchases} value={formatCount(fan.purchases)} />
      {fan.paid_messages > 0 && (
        <Fact label={facts.messages} value={facts.unlocked(fan.unlocked_messages, fan.paid_messages)} />
      )}
    </dl>
  )
}

/** `"Active · since Mar 4, 2023 · Renews Apr 4, 2023"` */
function describeSubscription(fan: FanSheet): string | undefined {
  const { subscription_status: status, subscribed_at: since, runs_until: end } = fan
  if (status === null || since === null) return undefined
  const { facts } = texts
  const until = status === 'canceled' ? facts.ended : fan.cancel_at_period_end ? facts.ends : facts.renews
  return [facts.status[status], facts.since(formatDate(since)), ...(end === null ? [] : [until(formatDate(end))])].join(
    ' · ',
  )
}

function Spending({ fan }: { fan: FanSheet }) {
  const { spending } = texts
  const kinds = Object.entries(spending.kinds).flatMap(([kind, label]) => {
    const cents = fan.spent_by_type[kind as SpendingKind]
    return cents === undefined ? [] : [{ label, cents }]
  })
  return (
    <section>
      <h3 className={classes.title}>{spending.title}</h3>
      <dl className={classes.facts}>
        <Fact label={spending.total} value={formatCents(fan.spent)} />
        <Fact label={spending.recent} value={formatCents(fan.spent_in_30_days)} />
        {kinds.map(({ label, cents }) => (
          <Fact key={label} label={label} value={formatCents(cents)} />
        ))}
      </dl>
    </section>
  )
}

function Restriction({ fan }: { fan: Props['fan'] }) {
  const queryClient = useQueryClient()
  const isRestricted = useQuery(restrictedAmongQuery([fan.id])).data?.includes(fan.id)
  return (
    <section>
      <h3 className={classes.title}>{restrictionTexts.title}</h3>
      <div className={classes.restriction}>
        <p className={classes.dimmed}>{restrictionTexts.hint}</p>
        <Button
          variant="default"
          disabled={isRestricted === undefined}
          onClick={() => void restrict(queryClient, fan, !isRestricted)}
        >
          {isRestricted ? restrictionTexts.lift : restrictionTexts.restrictShort}
        </Button>
      </div>
    </section>
  )
}

function Fact({ label, value, detail }: { label: string; value: string; detail?: string | undefined }) {
  return (
    <Group gap={0} className={classes.fact}>
      <dt>{label}</dt>
      <dd dir="auto">
        {value}
        {detail && <span className={classes.detail}>{detail}</span>}
      </dd>
    </Group>
  )
}
