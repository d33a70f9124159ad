import { subscriptionTexts } from '@ovation/contract/texts/subscriptions'
import { GivenGifts } from '../../domain/gifts/given-gifts.tsx'
import { Returning } from '../../domain/payments/returning.tsx'
import { SavedCardsPanel } from '../../domain/payments/saved-cards-panel.tsx'
import { MySubscriptionList } from '../../domain/subscriptions/my-subscription-list.tsx'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'

const { mine } = subscriptionTexts

/** `/dashboard/subscriptions`: the viewer's subscriptions (D29). */
export function MySubscriptionsScreen() {
  return (
    <Page title={mine.title}>
      <Returning />
      <ForViewer skeleton={<ListSkeleton rows={3} />}>
        {(viewer) => (
          <>
            <MySubscriptionList viewer={viewer} />
            <GivenGifts />
            <SavedCardsPanel />
          </>
        )}
      </ForViewer>
    </Page>
  )
}
