import { useDebouncedValue } from '@mantine/hooks'
import { promotionCodeForm } from '@ovation/contract/limits'
import { useQueries } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import type { Plan } from './plan-queries.ts'

/** The price of a plan with a promotion code, and how long it applies (`check-promotion-code`). */
export type Discount = {
  discountedCents: number
  duration: 'once' | 'repeating' | 'forever'
  durationMonths: number | null
}

/**
 * The prices of plans with the typed code. Plans to which it doesn't apply are left out, and so are all while loading. The checkout
 * checks the code again and shows its error on the field.
 */
export function useDiscounts(plans: readonly Plan[], code: string, enabled: boolean): ReadonlyMap<string, Discount> {
  const [typed] = useDebouncedValue(code.trim().toUpperCase(), 400)
  const isCode = enabled && promotionCodeForm.test(typed)
  return useQueries({
    queries: (isCode ? plans : []).map(({ id }) => ({
      queryKey: ['discount', id, typed],
      queryFn: () => callFunction<Discount>('check-promotion-code', { productId: id, code: typed }),
      retry: false,
    })),
    combine: (results) =>
      new Map(plans.flatMap(({ id }, index) => (results[index]?.data ? [[id, results[index].data] as const] : []))),
  })
}
