import { Badge, Button, Group, Text, TextInput } from '@mantine/core'
import { referralTexts as texts } from '@ovation/contract/texts/referrals'
import { IconCopy, IconShare3 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Referral, type ReferralStats, referralsQuery } from '../../domain/referrals/queries.ts'
import { appConfig } from '../../lib/api/config.ts'
import { referralCode } from '../../lib/auth/referral.ts'
import { nameOf, type Viewer } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents, formatCount } from '../../lib/format/format-number.ts'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { Page } from '../../ui/page.tsx'
import { Stat } from '../../ui/stat.tsx'
import { toast } from '../../ui/toast.ts'
import classes from './referrals.module.css'
import { copyCode, copyReferralLink, shareReferralLink } from './share-referral.ts'

/** Completed referrals for one reward (REF-18). */
const perReward = 10

/** REF-01, REF-03 */
export function ReferralsScreen() {
  return (
    <Page title={texts.title} lead={texts.introduction}>
      <ForViewer skeleton={<ListSkeleton rows={3} />}>{(viewer) => <Content viewer={viewer} />}</ForViewer>
    </Page>
  )
}

function Content({ viewer }: { viewer: Viewer }) {
  const referrals = useQuery(referralsQuery(viewer.profileId))
  const { isError, data } = referrals
  useEffect(() => {
    if (isError) toast.error(texts.failed.message, texts.failed.title)
  }, [isError])

  return (
    <div className={classes.sections}>
      {data?.referrer && <p className={classes.invited}>{texts.invitedBy(nameOf(data.referrer))}</p>}
      {isError && !data ? <LoadFailed title={texts.failed.message} of={referrals} /> : <Stats stats={data?.stats} />}
      <ReferralLink profileId={viewer.profileId} />
      <HowItWorks />
      {data && data.history.length > 0 && <History history={data.history} />}
    </div>
  )
}

/** REF-04..REF-06, REF-12 */
function Stats({ stats }: { stats: ReferralStats | undefined }) {
  const { total, completed, rewards, earnings, pending, onTheWay, label } = texts.stats
  return (
    <dl className={classes.stats} aria-label={label} aria-busy={!stats}>
      <Stat
        label={total}
        value={stats && formatCount(stats.total_referrals)}
        hint={stats && pending(formatCount(stats.pending_referrals))}
      />
      <Stat
        label={completed}
        value={stats && formatCount(stats.completed_referrals)}
        hint={stats && rewards(formatCount(Math.floor(stats.completed_referrals / perReward)))}
      />
      <Stat
        label={earnings}
        value={stats && formatCents(stats.total_earned)}
        hint={stats && stats.pending_rewards > 0 ? onTheWay(formatCents(stats.pending_rewards)) : undefined}
      />
    </dl>
  )
}

/** REF-07..REF-09, REF-14 */
function ReferralLink({ profileId }: { profileId: string }) {
  const code = referralCode(profileId)
  const link = `${window.location.origin}/?ref=${code}`
  const { title, ...labels } = texts.link
  return (
    <section className={`surface ${classes.card}`}>
      <h2 className={classes.heading}>{title}</h2>
      <div className={classes.fields}>
        <TextInput label={labels.code} value={code} readOnly onFocus={(event) => event.currentTarget.select()} />
        <TextInput label={labels.link} value={link} readOnly onFocus={(event) => event.currentTarget.select()} />
      </div>
      <Group gap="sm" mt="md">
        <Button onClick={() => void copyReferralLink(link)} leftSection={<IconCopy size={17} stroke={1.75} />}>
          {labels.copy}
        </Button>
        <Button
          variant="default"
          onClick={() => void shareReferralLink(link, appConfig().name)}
          leftSection={<IconShare3 size={17} stroke={1.75} />}
        >
          {labels.share}
        </Button>
        <Button variant="default" onClick={() => void copyCode(code)}>
          {labels.copyCode}
        </Button>
      </Group>
    </section>
  )
}

/** REF-10 */
function HowItWorks() {
  return (
    <section className={`surface ${classes.card}`}>
      <h2 className={classes.heading}>{texts.how.title}</h2>
      <ol className={classes.steps}>
        {texts.how.steps.map(({ title, message }) => (
          <li key={title}>
            <h3 className={classes.stepTitle}>{title}</h3>
            <Text c="dimmed">{message}</Text>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** REF-11, REF-12 */
function History({ history }: { history: Referral[] }) {
  return (
    <section className={`surface ${classes.card}`}>
      <h2 className={classes.heading}>{texts.history.title}</h2>
      <ul className={classes.history}>
        {history.map((referral) => (
          <li key={referral.id} className={classes.referral}>
            <div>
              <div className={classes.code}>{referral.referral_code}</div>
              <Text size="sm" c="dimmed">
                {formatDate(referral.created_at)}
                {referral.commission_amount > 0 &&
                  ` · ${texts.history.commission(formatCents(referral.commission_amount))}`}
              </Text>
            </div>
            <Group gap="sm">
              {referral.status === 'paid' && (
                <span className={classes.reward}>{texts.history.reward(formatCents(referral.reward_amount))}</span>
              )}
              <Badge
                variant={referral.status === 'pending' ? 'outline' : 'light'}
                color={referral.status === 'pending' ? 'gray' : 'teal'}
                tt="none"
                className={referral.status === 'pending' ? undefined : classes.reward}
              >
                {texts.history.states[referral.status]}
              </Badge>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}
