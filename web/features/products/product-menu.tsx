import { paths } from '@ovation/contract/paths'
import { productTexts } from '@ovation/contract/texts/products'
import { safetyTexts } from '@ovation/contract/texts/safety'
import { IconFlag, IconShare, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useAskToSignIn } from '../../domain/accounts/use-ask-to-sign-in.ts'
import { type ProductPage, productsKey } from '../../domain/products/queries.ts'
import { useViewer } from '../../lib/auth/viewer.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import type { MoreAction } from '../../ui/more-menu.tsx'
import { share } from '../../ui/share.ts'

const ReportDialog = lazy(() => import('../../domain/reports/report-dialog.tsx'))
const TakeDownProduct = lazy(() => import('./take-down-product.tsx'))

const texts = productTexts.page

/** Share, for others than its creator report, and for admins take down (D43). */
export function ProductMenu({ product: { id, title, creator_id, is_own, taken_down_at } }: { product: ProductPage }) {
  const viewer = useViewer()
  const askToSignIn = useAskToSignIn()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<'report' | 'takeDown'>()
  const close = () => setOpen(undefined)

  const actions: MoreAction[] = [
    { label: texts.share, icon: IconShare, onSelect: () => void share({ title, path: paths.product(id) }) },
  ]
  if (!is_own)
    actions.push({
      label: safetyTexts.reportNamed.product,
      icon: IconFlag,
      onSelect: () => (viewer ? setOpen('report') : askToSignIn({ kind: 'report', id: creator_id })),
    })
  if (viewer?.isAdmin && !is_own && taken_down_at === null)
    actions.push({ label: texts.takeDown, icon: IconTrash, onSelect: () => setOpen('takeDown') })
  return (
    <>
      <MoreButton actions={actions} />
      <Suspense>
        {open === 'report' && <ReportDialog target={{ type: 'product', id }} onClose={close} />}
        {open === 'takeDown' && (
          <TakeDownProduct
            productId={id}
            onDone={() => void queryClient.invalidateQueries({ queryKey: productsKey })}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}
