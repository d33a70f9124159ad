import { Badge, Button, Title } from '@mantine/core'
import { planTermsTexts } from '@ovation/contract/texts/plan-terms'
import { profileTabsTexts } from '@ovation/contract/texts/profile-tabs'
import { promotionTexts } from '@ovation/contract/texts/promotion-codes'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCents } from '../../lib/format/format-number.ts'
import { PriceTag } from '../../ui/price-tag.tsx'
import { describeOffer, endOfOffer, OfferPrice } from '../offers/offer-price.tsx'
import offerClasses from '../offers/offers.module.css'
import type { PlanOffer } from '../offers/plan-offers.ts'
import { PlanBenefits } from './plan-benefits.tsx'
import type { CurrentPlan, Plan } from './plan-queries.ts'
import { ownTerm, perMonth, termOf, termsOf } from './plan-terms.ts'
import classes from './plans.module.css'
import { TermChoice } from './term-choice.tsx'
import type { Discount } from './use-discounts.ts'

type Props = {
  plan: Plan
  /** From the viewer's promotion code. */
  discount?: Discount | undefined
  /** The offer for a term, by its months (OFFER-04). */
  offerOf?: (intervalCount: number) => PlanOffer | undefined
  /** The viewer's own subscription, if it is to this plan. */
  current?: CurrentPlan | undefined
  /** The months of the term that is chosen at first, if it is sold. */
  preferredTerm?: number
  /**
   * `open`: not subscribed; `current`: this plan; `other`: another plan of the creator; `gift`: another plan, which was a gift and can't be
   * switched; `own`: the viewer sells it.
   */
  state: 'open' | 'current' | 'other' | 'gift' | 'own'
  /** Whether to show the creator's mark: with only one plan, it says nothing. */
  popular?: boolean
  /** One plan of several has the primary button (LOOP-28). */
  primary: boolean
  /** @param intervalCount the months of the chosen term; 1 for the plan's own interval. */
  onSubscribe: (intervalCount: number) => void
  onSwitch?: (intervalCount: number) => void
  pending: boolean
  disabled: boolean
}

/** PROF-15, PROF-16, LOOP-15, OFFER-01, OFFER-04 */
export function PlanCard(props: Props) {
  const { plan, discount, current: own, preferredTerm = 1, popular = false, primary, pending, disabled } = props
  const [chosen, setChosen] = useState<number>()
  const wanted = chosen ?? own?.intervalCount ?? preferredTerm
  // Subscribers keep the price of their term (OFFER-08).
  const term = own?.intervalCount === wanted ? ownTerm(own) : termOf(plan, wanted)
  // Another term of the viewer's own plan is a switch.
  const state = own && !own.isGift && chosen !== undefined && chosen !== own.intervalCount ? 'other' : props.state
  // A promotion code is used only if it is better than the offer.
  const offer =
    (state === 'open' || state === 'own') && !(discount && term.months === 1) ? props.offerOf?.(term.months) : undefined
  const { subscribe, switch: switchPlan, current } = profileTabsTexts.plan
  return (
    <article className={`surface ${classes.plan}`} data-current={state === 'current'}>
      <div className={classes.head}>
        <Title order={2} className={classes.name} dir="auto">
          {plan.name}
        </Title>
        {plan.trial_days > 0 && !offer && (state === 'open' || state === 'own') && (
          <Badge variant="light" tt="none" flex="none">
            {profileTabsTexts.trial(plan.trial_days)}
          </Badge>
        )}
      </div>
      {popular && <p className={classes.popular}>{profileTabsTexts.mostPopular}</p>}
      <p className={classes.price}>
        {offer ? (
          <OfferPrice offer={offer} interval={plan.interval} />
        ) : (
          <PriceTag cents={perMonth(term)} interval={plan.interval} />
        )}
      </p>
      {term.months > 1 && (
        <p className={classes.billed}>
          {planTermsTexts.billed(formatCents(offer?.offer_cents ?? term.price_cents), term.months)}
        </p>
      )}
      {offer && (
        <>
          <p className={offerClasses.terms}>{describeOffer(offer, plan.interval)}</p>
          <p className={offerClasses.ends}>{endOfOffer(offer)}</p>
        </>
      )}
      {discount && term.months === 1 && (
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
      {plan.terms.length > 0 && !own?.isGift && (
        <TermChoice terms={termsOf(plan)} value={term.months} onChange={setChosen} disabled={disabled} />
      )}
      {state === 'open' && (
        <Button
          fullWidth
          variant={primary ? 'filled' : 'default'}
          className={classes.button}
          onClick={() => props.onSubscribe(term.months)}
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
          onClick={() => props.onSwitch?.(term.months)}
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
