import { settingsTexts } from '@ovation/contract/texts/settings'
import { MySubscriptionList } from '../../domain/subscriptions/my-subscription-list.tsx'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { Receipts } from './receipts.tsx'
import classes from './settings.module.css'

/** The user's subscriptions and payments (SET-06). The list is the one of `/dashboard/subscriptions` (D29). */
export default function SubscriptionsTab({ viewer }: { viewer: Viewer }) {
  return (
    <div className={classes.sections}>
      <h2 className="visually-hidden">{settingsTexts.tabs.subscriptions}</h2>
      <MySubscriptionList viewer={viewer} />
      <Receipts profileId={viewer.profileId} />
    </div>
  )
}
