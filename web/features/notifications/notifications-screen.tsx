import { Badge, Button, Loader } from '@mantine/core'
import { notificationsTexts } from '@ovation/contract/texts/notifications'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { unreadCountQuery } from '../../domain/notifications/unread.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { NotificationItem } from './notification-item.tsx'
import classes from './notifications.module.css'
import {
  type Filter,
  filters,
  listOf,
  type Notification,
  type NotificationPage,
  notificationsQuery,
} from './queries.ts'
import { runsOf } from './runs-of.ts'
import { useNotificationActions } from './use-notification-actions.ts'
import { useThumbnailLinks } from './use-thumbnail-links.ts'

/** NOTI-01 */
export function NotificationsScreen() {
  const viewer = useViewer()
  const unread = useQuery({ ...unreadCountQuery(viewer?.profileId ?? ''), enabled: Boolean(viewer) })
  const actions = useNotificationActions(viewer?.profileId)
  if (viewer === null) return null

  const count = unread.data ?? 0
  return (
    <Page
      title={notificationsTexts.title}
      heading={
        <span className={classes.heading}>
          {notificationsTexts.title}
          {count > 0 && (
            <Badge size="lg" tt="none" className={classes.new}>
              {notificationsTexts.new(count)}
            </Badge>
          )}
        </span>
      }
      actions={
        count > 0 && (
          <Button variant="default" onClick={() => actions.markAllRead()}>
            {notificationsTexts.markAllRead}
          </Button>
        )
      }
    >
      <Activity actions={actions} />
    </Page>
  )
}

type Actions = ReturnType<typeof useNotificationActions>

/** The list, and which kind of notifications it shows. The address keeps the choice (LOOP-17). */
function Activity({ actions }: { actions: Actions }) {
  const [parameters, setParameters] = useSearchParams()
  const filter = filters.find((one) => one === parameters.get('show')) ?? 'all'
  const choose = (chosen: Filter) => setParameters(chosen === 'all' ? {} : { show: chosen }, { replace: true })
  return (
    <section className={`surface ${classes.activity}`} aria-labelledby="recent-activity">
      <div className={classes.head}>
        <h2 id="recent-activity" className={classes.title}>
          {notificationsTexts.recentActivity}
        </h2>
        <Segments
          aria-label={notificationsTexts.filter}
          value={filter}
          onChange={choose}
          data={filters.map((value) => ({ value, label: notificationsTexts.filters[value] }))}
        />
      </div>
      <Listed key={filter} filter={filter} actions={actions} />
    </section>
  )
}

const emptyTexts = {
  all: notificationsTexts.empty,
  posts: notificationsTexts.emptyPosts,
  mentions: notificationsTexts.emptyMentions,
  money: notificationsTexts.emptyMoney,
}

function Listed({ filter, actions }: { filter: Filter; actions: Actions }) {
  const notifications = useInfiniteQuery(notificationsQuery(filter))
  const { data, hasNextPage } = notifications
  const rows = useMemo(() => data && listOf(data, hasNextPage), [data, hasNextPage])
  const keptFocus = useKeptFocus()
  return (
    <div className={classes.region} {...keptFocus}>
      <PagedList
        query={notifications}
        rows={rows}
        pending={<Pending />}
        failed={{ title: notificationsTexts.loadFailed }}
        empty={<EmptyState icon={<IconBell size={26} stroke={1.5} />} {...emptyTexts[filter]} order={3} />}
        moreFailed={notificationsTexts.loadMoreFailed}
      >
        {(listed, more) => (
          <NotificationList
            notifications={listed}
            pages={data?.pages ?? []}
            actions={actions}
            more={hasNextPage && more}
          />
        )}
      </PagedList>
    </div>
  )
}

const Pending = () => (
  <div className={classes.waiting} role="status" aria-label={notificationsTexts.loading}>
    <Loader />
  </div>
)

type ListProps = {
  notifications: Notification[]
  pages: readonly NotificationPage[]
  actions: Actions
  more: ReactNode
}

/** A scrolling list that is also keyboard-scrollable (NOTI-06). New notifications are announced. */
function NotificationList({ notifications, pages, actions, more }: ListProps) {
  const links = useThumbnailLinks(pages)
  const runs = useMemo(() => runsOf(notifications), [notifications])
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const item = (notification: Notification) => (
    <NotificationItem
      key={notification.id}
      notification={notification}
      links={links}
      onRead={() => actions.markRead(notification)}
      onDelete={() => actions.remove(notification)}
    />
  )
  return (
    <ul className={classes.list} aria-label={`${formatCount(notifications.length)} ${notificationsTexts.title}`}>
      {runs.flatMap(({ first, rest }) => {
        const all = [first, ...rest]
        if (rest.length === 0 || all.some(({ id }) => opened.has(id))) return all.map(item)
        const open = () => setOpened(new Set([...opened, ...all.map(({ id }) => id)]))
        return [item(first), <MoreLikeIt key={`more ${first.id}`} count={rest.length} onOpen={open} />]
      })}
      {more && <li className={classes.end}>{more}</li>}
    </ul>
  )
}

function MoreLikeIt({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <li className={classes.more}>
      <Button variant="subtle" size="compact-sm" onClick={onOpen}>
        {notificationsTexts.more(count)}
      </Button>
    </li>
  )
}
