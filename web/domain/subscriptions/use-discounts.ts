import { useDebouncedValue } from '@mantine/hooks'
import { promotionCodeForm } from '@ovation/contract/limits'
import { useQueries } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import type { Plan } from './queries.ts'

/** What a plan costs with a code, and for how long (`check-promotion-code`). */
export type Discount = {
  discountedCents: number
  duration: 'once' | 'repeating' | 'forever'
  durationMonths: number | null
}

/**
 * What plans cost with the code that is typed, before anybody leaves for the checkout. A plan that the code is not for is left out, as
 * are all while nothing is known: the checkout asks again, and says at the field what is wrong with a code.
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
