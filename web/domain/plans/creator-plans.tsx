import { Text } from '@mantine/core'
import { subscriptionProductsTexts as texts } from '@ovation/contract/texts/subscription-products'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { Viewer } from '../../lib/auth/viewer.ts'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { failedOf, LoadFailed } from '../../ui/load-failed.tsx'
import { latestApplicationQuery } from '../verification/latest-application-query.ts'
import classes from './creator-plans.module.css'
import { ProductGate } from './plan-gate.tsx'
import { ProductList } from './plan-list.tsx'
import { productsQuery, takesChargesQuery } from './queries.ts'
import { useToggleProduct } from './use-toggle-plan.ts'

// All are below the list. The form's fields would be the largest part of the screen's first load.
const ProductForm = lazy(async () => ({ default: (await import('./plan-form.tsx')).ProductForm }))
const GiftCodes = lazy(async () => ({ default: (await import('../gifts/gift-codes.tsx')).GiftCodes }))
const Offers = lazy(async () => ({ default: (await import('../offers/offers.tsx')).Offers }))
const Pauses = lazy(async () => ({ default: (await import('./pauses.tsx')).Pauses }))
const PromotionCodes = lazy(async () => ({ default: (await import('./promotion-codes.tsx')).PromotionCodes }))

/** A creator's plans, offers, pauses, promotion codes, and gift codes, and the forms for new ones. */
export function Products({ viewer }: { viewer: Viewer }) {
  const products = useQuery(productsQuery(viewer.profileId))
  const takesCharges = useQuery(takesChargesQuery(viewer.profileId))
  const toggle = useToggleProduct(viewer.profileId)
  const application = useQuery({ ...latestApplicationQuery(viewer.userId), enabled: !viewer.mayPublish })
  const isWaiting = !viewer.mayPublish && application.data?.status === 'pending'
  const failed = failedOf(products, takesCharges, application)

  if (failed.length > 0) return <LoadFailed title={texts.loadFailed} of={failed} />
  if (!products.data || takesCharges.data === undefined || application.isLoading) return <ListSkeleton rows={3} />

  const missing = viewer.mayPublish || isWaiting ? (takesCharges.data ? null : 'onboardingFirst') : 'approvalFirst'
  return (
    <div className={classes.sections}>
      {isWaiting && <Text c="dimmed">{texts.waiting.message}</Text>}
      {products.data.length > 0 && (
        <ProductList
          isWaiting={isWaiting}
          creatorId={viewer.profileId}
          products={products.data}
          changing={toggle.isPending ? toggle.variables.id : undefined}
          onToggle={toggle.mutate}
        />
      )}
      {products.data.length === 0 && !missing && <NoProducts />}
      {missing ? (
        <ProductGate missing={missing} />
      ) : (
        <Suspense fallback={<ListSkeleton rows={3} />}>
          <ProductForm creatorId={viewer.profileId} isWaiting={isWaiting} />
          {products.data.length > 0 && !isWaiting && <Offers creatorId={viewer.profileId} plans={products.data} />}
          {products.data.length > 0 && !isWaiting && <Pauses creatorId={viewer.profileId} />}
          {products.data.length > 0 && !isWaiting && <PromotionCodes creatorId={viewer.profileId} />}
          {products.data.length > 0 && !isWaiting && <GiftCodes creatorId={viewer.profileId} plans={products.data} />}
        </Suspense>
      )}
    </div>
  )
}

/** Not a full-size empty state, because the form is right below. */
function NoProducts() {
  return (
    <div>
      <Text fw={550}>{texts.empty.title}</Text>
      <Text c="dimmed">{texts.empty.message}</Text>
    </div>
  )
}
