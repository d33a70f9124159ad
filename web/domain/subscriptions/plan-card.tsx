import { Badge, Button, Title } from '@mantine/core'
import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { promotionTexts } from '@ovation/contract/texts/promotion-codes'
import { IconCheck } from '@tabler/icons-react'
import { formatCents } from '../../lib/format/format-number.ts'
import { PriceTag } from '../../ui/price-tag.tsx'
import { PlanBenefits } from './plan-benefits.tsx'
import type { Plan } from './plan-queries.ts'
import classes from './plans.module.css'
import type { Discount } from './use-discounts.ts'

type Props = {
  plan: Plan
  /** From the viewer's promotion code. */
  discount?: Discount | undefined
  /** `open`: not subscribed; `current`: this plan; `other`: another plan of the creator; `own`: the viewer sells it. */
  state: 'open' | 'current' | 'other' | 'own'
  /** Whether to show the creator's mark: with only one plan, it says nothing. */
  popular?: boolean
  /** One plan of several has the primary button (LOOP-28). */
  primary: boolean
  onSubscribe: () => void
  onSwitch?: () => void
  pending: boolean
  disabled: boolean
}

/** PROF-15, PROF-16, LOOP-15 */
export function PlanCard(props: Props) {
  const { plan, discount, state, popular = false, primary, onSubscribe, onSwitch, pending, disabled } = props
  const { subscribe, switch: switchPlan, current } = profileTabsTexts.plan
  return (
    <article className={`surface ${classes.plan}`} data-current={state === 'current'}>
      <div className={classes.head}>
        <Title order={2} className={classes.name} dir="auto">
          {plan.name}
        </Title>
        {plan.trial_days > 0 && (state === 'open' || state === 'own') && (
          <Badge variant="light" tt="none" flex="none">
            {profileTabsTexts.trial(plan.trial_days)}
          </Badge>
        )}
      </div>
      {popular && <p className={classes.popular}>{profileTabsTexts.mostPopular}</p>}
      <p className={classes.price}>
        <PriceTag cents={plan.price_cents} interval={plan.interval} />
      </p>
      {discount && (
        <p className={classes.discount} role="status">
          {promotionTexts.discount(formatCents(discount.discountedCents), durationOf(discount))}
        </p>
      )}
      {plan.description && (
        <p className={classes.description} dir="auto">
          {plan.description}
        </p>
      )}
      <PlanBenefits plan={plan} />
      {state === 'open' && (
        <Button
          fullWidth
          variant={primary ? 'filled' : 'default'}
          className={classes.button}
          onClick={onSubscribe}
          loading={pending}
          disabled={disabled}
          aria-label={`${subscribe}: ${plan.name}`}
        >
          {subscribe}
        </Button>
      )}
      {state === 'other' && (
        <Button
          fullWidth
          className={classes.button}
          variant="default"
          onClick={onSwitch}
          disabled={disabled}
          aria-label={profileTabsTexts.planNamed(switchPlan, plan.name)}
        >
          {switchPlan}
        </Button>
      )}
      {state === 'current' && (
        <Button
          fullWidth
          className={`${classes.button} ${classes.current}`}
          variant="default"
          disabled
          leftSection={<IconCheck size={18} stroke={2} />}
        >
          {current}
        </Button>
      )}
    </article>
  )
}

function durationOf({ duration, durationMonths }: Discount): string {
  if (duration !== 'repeating') return promotionTexts.discountFor[duration]
  return promotionTexts.months(durationMonths ?? 1)
}
