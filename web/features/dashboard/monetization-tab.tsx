import { Button, Text } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { dashboardTexts } from '@ovation/contract/texts/dashboard'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type Monetization, monetizationQuery } from '../../domain/payments/monetization.ts'
import { productsQuery } from '../../domain/plans/queries.ts'
import { offersQuery } from '../../domain/private-sessions/offer-queries.ts'
import { appConfig } from '../../lib/api/config.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import classes from './earnings.module.css'
import { revenueSplitQuery } from './earnings-queries.ts'
import { MonetizationForm } from './monetization-form.tsx'

const texts = dashboardTexts.monetization

/** All sources of income, with recent earnings and links to set them up. */
export default function MonetizationTab({ profileId }: { profileId: string }) {
  const products = useQuery(productsQuery(profileId))
  const offers = useQuery(offersQuery(profileId, { active: true }))
  const split = useQuery(revenueSplitQuery(profileId, 30))
  const settings = useQuery(monetizationQuery(profileId))
  const failed = failedOf(products, offers, split, settings)
  if (failed.length > 0) return <LoadFailed title={texts.loadFailed} of={failed} />
  if (!products.data || !offers.data || !split.data || !settings.data) return <ListSkeleton rows={6} shape="card" />
  const earned = (source: string) =>
    formatCents(Number(split.data.find((share) => share.source === source)?.net_amount ?? 0))
  const plans = products.data.filter(({ is_active }) => is_active)
  const { data: sessions } = offers
  return (
    <>
      <Text c="dimmed" mb="lg">
        {texts.introduction(appConfig().feePercent)}
      </Text>
      <div className={classes.ways}>
        <Way
          {...texts.plans}
          message={plans.length > 0 ? texts.plans.some(plans.length, cheapest(plans)) : texts.plans.none}
          earned={earned('subscription')}
          to={paths.subscriptionProducts}
        />
        <Way {...texts.ppv} earned={earned('ppv')} to="?tab=content" />
        <Way {...texts.tips} message={tipSummary(settings.data)} earned={earned('tip')} to="?tab=earnings" />
        <Way {...texts.messages} earned={earned('paid_message')} to="?tab=subscribers" />
        <Way
          {...texts.sessions}
          message={sessions.length > 0 ? texts.sessions.some(sessions.length, cheapest(sessions)) : texts.sessions.none}
          earned={earned('private_session')}
          to={`${paths.privateSessions}?tab=offers`}
        />
        <Way {...texts.products} earned={earned('product')} to="?tab=products" />
      </div>
      <div className={classes.prices}>
        <MonetizationForm creatorId={profileId} settings={settings.data} />
      </div>
    </>
  )
}

const cheapest = (sold: { price_cents: number }[]): string =>
  formatCents(Math.min(...sold.map(({ price_cents }) => price_cents)))

const tipSummary = ({ takes_tips, tip_min_cents, tip_presets_cents }: Monetization): string =>
  takes_tips
    ? texts.tips.some(tip_presets_cents.map((cents) => formatCents(cents)).join(', '), formatCents(tip_min_cents))
    : texts.tips.none

type WayProps = { title: string; message: string; action: string; earned: string; to: string }

function Way({ title, message, action, earned, to }: WayProps) {
  return (
    <section className={`surface ${classes.way}`} aria-label={title}>
      <h2 className={classes.heading}>{title}</h2>
      <p>{message}</p>
      <p className={classes.earned}>{texts.inThirtyDays(earned)}</p>
      <Button component={Link} to={to} variant="default">
        {action}
      </Button>
    </section>
  )
}
