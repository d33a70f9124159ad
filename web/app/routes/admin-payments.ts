import { foundPaymentsQuery } from '../../features/admin/operations/payment-queries.ts'
import { requireAdmin } from '../require-admin.ts'
import type { LoaderArguments } from '../router.ts'

export { PaymentsScreen as Component } from '../../features/admin/operations/payments-screen.tsx'

export async function loader({ queryClient, location }: LoaderArguments): Promise<void> {
  await requireAdmin(queryClient, location)
  void queryClient.prefetchInfiniteQuery(foundPaymentsQuery(new URLSearchParams(location.search).get('q') ?? ''))
}
