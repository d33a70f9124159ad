import classes from './subscribe-bar.module.css'
import { SubscribeButton } from './subscribe-button.tsx'
import type { Offer } from './use-offer.ts'

/** On a phone, keeps the primary button in sight (LOOP-05). It ends with the profile, so that it covers neither its last post nor the footer. */
export default function SubscribeBar({
  offer,
  address,
}: {
  offer: Extract<Offer, { state: 'open' }>
  address: string
}) {
  return (
    <div className={classes.bar} data-keep-clear>
      <SubscribeButton offer={offer} address={address} fullWidth />
    </div>
  )
}
