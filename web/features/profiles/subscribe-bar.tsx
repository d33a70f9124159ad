import type { Accent } from '../../domain/creators/accent.ts'
import classes from './subscribe-bar.module.css'
import { SubscribeButton } from './subscribe-button.tsx'
import type { Offer } from './use-offer.ts'

/** On a phone, keeps the primary button in sight (LOOP-05). It ends with the profile, so that it covers neither its last post nor the footer. */
export default function SubscribeBar({
  offer,
  address,
  accent,
}: {
  offer: Extract<Offer, { state: 'open' }>
  address: string
  accent: Accent
}) {
  return (
    <div className={`${classes.bar} ${accent.className ?? ''}`} style={accent.style} data-keep-clear>
      <SubscribeButton offer={offer} address={address} fullWidth showsPlans={false} />
    </div>
  )
}
