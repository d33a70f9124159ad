import { Button, TextInput } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { promotionTexts } from '@ovation/contract/texts/promotion-codes'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { countPageView } from '../../lib/api/count-page-view.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { useLiveChange } from '../../lib/live/use-live-change.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { GiveGift } from '../gifts/give-gift.tsx'
import { usePlanOffers } from '../offers/plan-offers.ts'
import { PauseNotice } from './pause-notice.tsx'
import { billingPauseQuery, ownPauseQuery } from './pause-queries.ts'
import { PlanCard } from './plan-card.tsx'
import { type CurrentPlan, currentPlanQuery, type Plan, plansQuery, subscriptionsKey } from './plan-queries.ts'
import classes from './plans.module.css'
import { SwitchDialog } from './switch-dialog.tsx'
import { useDiscounts } from './use-discounts.ts'
import { useSubscribe } from './use-subscribe.ts'
import { useTrialOffers } from './use-trial-offers.ts'

/** A creator's plans, with the viewer's own marked (PROF-14..PROF-16). */
export default function Plans({ creatorId, own }: { creatorId: string; own: boolean }) {
  const viewer = useViewer()
  const plans = useQuery(plansQuery(creatorId))
  const current = useQuery({
    ...currentPlanQuery(viewer?.profileId ?? '', creatorId),
    enabled: Boolean(viewer) && !own,
  })
  const queryClient = useQueryClient()
  // If a bank has to confirm a switch, that happens on another page.
  useLiveChange('subscriptions', current.data && viewer ? `subscriber_id=eq.${viewer.profileId}` : null, () =>
    queryClient.invalidateQueries({ queryKey: subscriptionsKey }),
  )
  const billing = useQuery({ ...billingPauseQuery(creatorId), enabled: !own })
  // A paused subscription gives no access, but buying a second one is rejected.
  const ownPause = useQuery({
    ...ownPauseQuery(viewer?.profileId ?? '', creatorId),
    enabled: viewer !== null && current.data === null,
  })
  const subscribe = useSubscribe()
  const [wanted, setWanted] = useState<{ plan: Plan; intervalCount: number }>()
  // A link can contain a promotion code, and the term that a visitor chose before signing up.
  const [params] = useSearchParams()
  const [code, setCode] = useState(params.get('code') ?? '')
  const isForSale = viewer !== null && !own && current.data === null
  const discounts = useDiscounts(plans.data ?? noPlans, code, isForSale)
  const withTrial = useTrialOffers(creatorId, !own && (viewer === null || current.data === null))
  const offers = usePlanOffers(creatorId, viewer === null || own || current.data === null)
  const codeField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (subscribe.codeError) codeField.current?.focus()
  }, [subscribe.codeError])

  const hasLinkTrial = (plan: Plan) => withTrial(plan).trial_days > plan.trial_days
  const isSeen = viewer !== undefined && !own && plans.data !== undefined && plans.data.length > 0
  useEffect(() => {
    if (isSeen) countPageView('plans', creatorId)
  }, [isSeen, creatorId])

  const failed = failedOf(plans, current)
  if (failed.length > 0) return <LoadFailed title={profileTabsTexts.plansFailed} of={failed} />
  // The price must not change while it is being read.
  if (!plans.data || offers.isLoading) return <ListSkeleton rows={2} shape="card" />
  if (plans.data.length === 0) return <NoPlans own={own} />

  // Offer nothing until the viewer's subscription is known, so that nobody pays twice.
  const isPaused = Boolean(billing.data) || ownPause.data === true
  const ready = (viewer === null || current.isSuccess) && !isPaused
  return (
    <>
      {isPaused && <PauseNotice billing={billing.data ?? null} />}
      <div className={classes.plans}>
        {plans.data.map((plan, index) => (
          <PlanCard
            key={plan.id}
            plan={withTrial(plan)}
            // The trial of a link comes instead of an offer.
            offerOf={(months) => (hasLinkTrial(plan) ? undefined : offers.offerOf(plan.id, months))}
            primary={index === 0}
            discount={discounts.get(plan.id)}
            state={own ? 'own' : stateOf(plan, current.data ?? null)}
            popular={plan.is_popular && plans.data.length > 1}
            current={current.data?.planId === plan.id ? current.data : undefined}
            preferredTerm={Number(params.get('term'))}
            onSubscribe={(intervalCount) => subscribe.start(plan.id, { intervalCount, promotionCode: code.trim() })}
            onSwitch={(intervalCount) => setWanted({ plan, intervalCount })}
            pending={subscribe.pending === plan.id}
            disabled={!ready || subscribe.pending !== undefined}
          />
        ))}
      </div>
      {!own && <GiveGift creatorId={creatorId} plans={plans.data} />}
      {!own && !current.data && (
        <Disclosure label={promotionTexts.have} open={code !== ''}>
          <TextInput
            label={promotionTexts.yours}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={subscribe.codeError}
            ref={codeField}
            maxLength={30}
            autoComplete="off"
            maw="20rem"
          />
        </Disclosure>
      )}
      {wanted && current.data && (
        <SwitchDialog current={current.data} {...wanted} onClose={() => setWanted(undefined)} />
      )}
      {own && (
        <Button component={Link} to={paths.subscriptionProducts} variant="default" mt="lg">
          {profileTabsTexts.managePlans}
        </Button>
      )}
    </>
  )
}

const noPlans: readonly Plan[] = []

function stateOf(plan: Plan, current: CurrentPlan | null) {
  if (!current) return 'open'
  if (current.planId === plan.id) return 'current'
  return current.isGift ? 'gift' : 'other'
}

/** Collapsed, because most viewers have no code. */
function Disclosure({ label, open: initially, children }: { label: string; open: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(initially)
  if (open) return <div style={{ marginTop: '1.5rem' }}>{children}</div>
  return (
    <Button variant="subtle" color="gray" mt="md" ml="-xs" px="xs" onClick={() => setOpen(true)}>
      {label}
    </Button>
  )
}

function NoPlans({ own }: { own: boolean }) {
  const icon = <IconStack2 size={26} stroke={1.5} />
  if (!own) return <EmptyState icon={icon} {...profileTabsTexts.noPlans} />
  const { title, message, action } = profileTabsTexts.noPlansOwner
  return (
    <EmptyState
      icon={icon}
      title={title}
      message={message}
      action={
        <Button component={Link} to={paths.subscriptionProducts}>
          {action}
        </Button>
      }
    />
  )
}
