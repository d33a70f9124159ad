import { Button } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { profileTexts } from '@ovation/contract/texts/profile'
import { Link } from 'react-router'
import { formatCents } from '../../lib/format/format-number.ts'
import classes from './profile-offer.module.css'
import type { Offer } from './use-offer.ts'

const texts = profileTexts.offer

type Props = {
  offer: Extract<Offer, { state: 'open' }>
  address: string
  fullWidth?: boolean
  /** Whether the plans' tab is open. */
  showsPlans: boolean
}

/** Subscribe with its price, or the trial (LOOP-05). Opens the plans, where the viewer chooses. */
export function SubscribeButton({ offer, address, fullWidth, showsPlans }: Props) {
  const { plans, cheapest, trialDays } = offer
  const price = `${formatCents(offer.offer?.offer_cents ?? cheapest.price_cents)} / ${cheapest.interval}`
  return (
    <Button
      component={Link}
      to={paths.plans(address)}
      // Beside the open plans, the first of them has the primary button (LOOP-28).
      variant={showsPlans ? 'default' : 'filled'}
      size="md"
      fullWidth={fullWidth}
      className={classes.button ?? ''}
    >
      {trialDays > 0
        ? texts.startTrial(trialDays)
        : plans.length > 1
          ? texts.subscribeFrom(price)
          : texts.subscribe(price)}
    </Button>
  )
}
