import { dashboardTexts as texts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { formatCents } from '../../lib/format/format-number.ts'
import { Ago } from '../../ui/ago.tsx'
import classes from './dashboard-screen.module.css'
import { type Payment, recentTipsQuery } from './earnings-queries.ts'
import { type Activity, activityQuery } from './overview-queries.ts'
import panelClasses from './panel.module.css'
import { Panel } from './panel.tsx'
import { PersonAvatar, PersonLink } from './person-link.tsx'
import { recentPostsQuery } from './post-queries.ts'
import { PostRows } from './post-rows.tsx'
import { Stats } from './stats.tsx'
import { recentSubscribersQuery, type Subscriber } from './subscriber-queries.ts'

/** DASH-10 */
export function Overview({ profileId }: { profileId: string }) {
  const subscribers = useQuery(recentSubscribersQuery(profileId))
  const tips = useQuery(recentTipsQuery(profileId))
  const activity = useQuery(activityQuery(profileId))
  const posts = useQuery(recentPostsQuery(profileId))
  return (
    <div className={classes.sections}>
      <Stats profileId={profileId} />
      <div className={classes.pair}>
        <Panel
          title={texts.overview.subscribers}
          query={subscribers}
          empty={texts.subscribers.empty}
          failure={texts.subscribers.loadFailed}
          all="?tab=subscribers"
        >
          {(rows) => <SubscriberRows rows={rows} />}
        </Panel>
        <Panel
          title={texts.overview.activity}
          query={activity}
          empty={texts.activity.empty}
          failure={texts.activity.loadFailed}
        >
          {(rows) => <ActivityRows rows={rows} />}
        </Panel>
      </div>
      {/* Only for creators who receive tips: another empty panel would help nobody. */}
      {Boolean(tips.data?.length || tips.isError) && (
        <Panel
          title={texts.overview.tips}
          query={tips}
          empty={texts.earnings.empty}
          failure={texts.tips.loadFailed}
          all="?tab=earnings"
        >
          {(rows) => <TipRows rows={rows} />}
        </Panel>
      )}
      <Panel
        title={texts.overview.posts}
        query={posts}
        empty={texts.content.empty}
        failure={texts.content.loadFailed}
        all="?tab=content"
      >
        {(rows) => <PostRows posts={rows} />}
      </Panel>
    </div>
  )
}

function SubscriberRows({ rows }: { rows: Subscriber[] }) {
  return (
    <ul className={panelClasses.rows}>
      {rows.map(({ id, subscriber, tier, created_at }) => (
        <li key={id} className={panelClasses.row}>
          <PersonAvatar person={subscriber} />
          <div className={panelClasses.text}>
            <PersonLink person={subscriber} />
            {tier && <span className={panelClasses.secondary}>{texts.subscribers.subscribedTo(tier.name)}</span>}
          </div>
          <span className={panelClasses.when}>
            <Ago at={created_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function ActivityRows({ rows }: { rows: Activity[] }) {
  return (
    <ul className={panelClasses.rows}>
      {rows.map(({ id, title, message, created_at }) => (
        <li key={id} className={panelClasses.row}>
          <div className={panelClasses.text}>
            <span className={panelClasses.primary}>{title}</span>
            <span className={panelClasses.secondary}>{message}</span>
          </div>
          <span className={panelClasses.when}>
            <Ago at={created_at} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function TipRows({ rows }: { rows: Payment[] }) {
  return (
    <ul className={panelClasses.rows}>
      {rows.map(({ id, from, amount, created_at }) => (
        <li key={id} className={panelClasses.row}>
          <PersonAvatar person={from} />
          <div className={panelClasses.text}>
            <PersonLink person={from} />
            <span className={panelClasses.secondary}>
              <Ago at={created_at} />
            </span>
          </div>
          <span className={panelClasses.amount}>{formatCents(amount)}</span>
        </li>
      ))}
    </ul>
  )
}
