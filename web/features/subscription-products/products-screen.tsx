import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { Products } from '../../domain/plans/creator-plans.tsx'
import { appConfig } from '../../lib/api/config.ts'
import { ForViewer } from '../../ui/for-viewer.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { Page } from '../../ui/page.tsx'
import { NextStep } from './next-step.tsx'

/** PROD-01 */
export function ProductsScreen() {
  return (
    <Page title={texts.title} lead={texts.introduction(appConfig().feePercent)} width="wide">
      <ForViewer skeleton={<ListSkeleton rows={3} />}>
        {(viewer) => (
          <>
            <NextStep viewer={viewer} />
            <Products viewer={viewer} />
          </>
        )}
      </ForViewer>
    </Page>
  )
}
